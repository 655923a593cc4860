package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Since when it is slow, and which step. */
@BrowserTest
class ConsoleTimeTest {

  private static final Instant FROM = Instant.parse("2026-11-23T15:40:00Z");

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

  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers("GET /sagas/minutes", MINUTES);
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

  /** What happened outside of the hour has no mark, nor an act on a single saga. */
  @Test
  void deploymentsRepairsAndPausesAreMarked() {
    service.answers(
        "GET /sagas/replicas",
        "[" + replica("r1", "15:50:01Z") + "," + replica("r2", "15:50:09Z") + "]");
    service.answers(
        "GET /operator-audit",
        """
        {"entries": [%s, %s, %s, %s]}
        """
            .formatted(
                entry(4, "16:20:00Z", "repair-start", "repair", "r7"),
                entry(3, "16:10:00Z", "hold", "definition", "place-order"),
                entry(2, "16:05:00Z", "retry", "saga", "s1"),
                entry(1, "14:00:00Z", "hold", "definition", "place-order")));
    service.answers("GET /sagas/minutes", ofAnHour());
    tab.open("time");
    Locator marks =
        page.getByRole(
            AriaRole.TABLE,
            new Page.GetByRoleOptions()
                .setName("Deployments, repairs and pauses, as the charts mark them"));
    assertThat(marks.locator("tbody tr")).hasCount(3);
    assertThat(marks.locator("tbody tr").nth(0)).containsText("1.4: 2 replicas started");
    assertThat(marks.locator("tbody tr").nth(1)).containsText("hold place-order: look first");
    assertThat(marks.locator("tbody tr").nth(2)).containsText("repair start: look first");
    assertThat(table("From start to end").locator("path.mark")).hasCount(3);
    tab.expectAccessible("marks of what happened");
    tab.picture("time");
    tab.prefer(ColorScheme.DARK);
    tab.expectAccessible("marks of what happened, in dark");
  }

  /** Sagas are on hold for ten minutes, and end late after it. */
  private static String ofAnHour() {
    String points =
        IntStream.range(0, 60).mapToObj(ConsoleTimeTest::point).collect(Collectors.joining(","));
    return MINUTES.replaceFirst("(?s)\"points\": \\[.*?]", "\"points\": [" + points + "]");
  }

  private static String point(int minute) {
    boolean isHeld = minute >= 30 && minute < 40;
    int varied = minute * 7 % 5;
    return """
    {"at": "%s", "definition": "place-order", "started": %s, "completed": %s, "compensated": 1,
     "meanMs": 40, "p50Ms": 30, "p95Ms": %s, "p99Ms": %s}
    """
        .formatted(
            FROM.plus(minute, ChronoUnit.MINUTES),
            22 + varied,
            isHeld ? 0 : 20 + varied,
            isHeld ? 9000 : 80 + varied,
            isHeld ? 12000 : 90 + 3 * varied);
  }

  private static String replica(String id, String startedAt) {
    return """
    {"id": "%s", "self": false, "living": true, "build": "1.4", "host": "%s",
     "startedAt": "2026-11-23T%s", "seenAt": "2026-11-23T16:40:00Z", "roles": [], "knows": [],
     "lacks": [], "loops": [], "connections": null, "heap": null}
    """
        .formatted(id, id, startedAt);
  }

  private static String entry(int seq, String at, String action, String kind, String id) {
    return """
    {"seq": %s, "at": "2026-11-23T%s", "actor": "olga", "action": "%s", "detail": null,
     "subject": {"kind": "%s", "id": "%s"}, "reason": "look first", "hash": "0",
     "previousHash": "0", "hidden": false}
    """
        .formatted(seq, at, action, kind, id);
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
