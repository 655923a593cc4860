package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Since when it is slow, and which step. */
@BrowserTest
class ConsoleTimeTest {

  private static final String MINUTES =
      """
      {"from": "2026-11-23T15:40:00Z", "until": "2026-11-23T16:40:12Z", "spanMinutes": 1,
       "points": [{"at": "2026-11-23T16:00:00Z", "definition": "place-order", "started": 24,
         "completed": 20, "compensated": 1, "meanMs": 40, "p50Ms": 30, "p95Ms": 80, "p99Ms": 90}],
       "failures": [
         {"at": "2026-11-23T16:00:00Z", "definition": "place-order", "step": "process-payment",
          "refused": 1, "givenUp": 0, "stuck": 0, "sentAgain": 3},
         {"at": "2026-11-23T16:00:00Z", "definition": "place-order", "step": "arrange-shipment",
          "refused": 5, "givenUp": 0, "stuck": 0, "sentAgain": 0}],
       "stepsFrom": "2026-11-23T15:40:00Z",
       "steps": [
         {"definition": "place-order", "step": "process-payment", "entered": 24, "done": 20,
          "refused": 1, "givenUp": 2, "stuck": 0, "sentAgain": 3, "p50Ms": 50, "p95Ms": 9500,
          "p99Ms": 12000},
         {"definition": "place-order", "step": "arrange-shipment", "entered": 20, "done": 15,
          "refused": 5, "givenUp": 0, "stuck": 0, "sentAgain": 0, "p50Ms": 10, "p95Ms": 20,
          "p99Ms": 30}],
       "stepDurations": [
         {"at": "2026-11-23T16:00:00Z", "definition": "place-order", "step": "process-payment",
          "p50Ms": 50, "p95Ms": 9500, "p99Ms": 12000},
         {"at": "2026-11-23T16:00:00Z", "definition": "place-order", "step": "arrange-shipment",
          "p50Ms": 10, "p95Ms": 20, "p99Ms": 30}],
       "backlog": []}
      """;

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();

  @BeforeEach
  void answer() {
    ScriptedService.of(tab).answers("GET /sagas/minutes", MINUTES);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void eachStepSaysHowManyEnteredItAndWhatBecameOfThem() {
    tab.open("time");
    assertThat(steps().nth(0))
        .containsText(Pattern.compile("process-payment[\\s\\S]*24\\s*20\\s*1\\s*2"));
    assertThat(steps().nth(0)).containsText("9.5 s");
    assertThat(steps().nth(1)).containsText("arrange-shipment");
    assertThat(table("Slowest steps, p95")).containsText("process-payment of place-order");
    assertThat(table("From start to end")).containsText("80 ms");
    tab.expectAccessible("the funnel by step");
    tab.prefer(ColorScheme.DARK);
    tab.expectAccessible("the funnel by step, in dark");
  }

  @Test
  void aStepLeadsToItsTimesAndItsFailures() {
    tab.open("time");
    tab.link("process-payment").click();
    assertThat(page)
        .hasURL(Pattern.compile("time\\?hours=1&definition=place-order&step=process-payment$"));
    hasRow("Duration of process-payment", "50 ms 9\\.5 s 12 s");
    hasRow("Failures of process-payment", "1 0 0 3");
  }

  private void hasRow(String caption, String values) {
    Locator chart = table(caption);
    chart.locator("summary").click();
    assertThat(
            chart.getByRole(
                AriaRole.ROW,
                new Locator.GetByRoleOptions().setName(Pattern.compile(" " + values + "$"))))
        .isVisible();
  }

  private Locator steps() {
    return page.locator("oc-step-flow oc-table tbody tr");
  }

  /** A chart with the table behind it. */
  private Locator table(String caption) {
    return page.locator("oc-chart").filter(new Locator.FilterOptions().setHasText(caption));
  }
}
