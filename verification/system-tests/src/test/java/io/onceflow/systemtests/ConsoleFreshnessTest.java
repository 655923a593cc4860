package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.onceflow.systemtests.ScriptedService.Held;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each view says as of when it is, and that it is not live once an answer is due. */
@BrowserTest
@Tag("nightly")
class ConsoleFreshnessTest {

  private static final String OVERVIEW =
      """
      {"at": "2026-11-23T16:40:12Z", "open": 0, "running": 0, "compensating": 0, "stuck": 0,
       "quarantined": 0, "overdue": 0, "parked": 0, "outbox": {"messages": 0, "oldestAgeMs": 0},
       "startedPerSecond": 0, "endedPerSecond": 0, "p50Ms": null, "p95Ms": null, "p99Ms": null, "steps": [],
       "awaited": []}
      """;

  private static final String MINUTES =
      """
      {"from": "2026-11-23T15:40:00Z", "until": "2026-11-23T16:40:12Z", "spanMinutes": 1,
       "points": [{"at": "2026-11-23T16:00:00Z", "definition": "place-order", "started": 3,
         "completed": 2, "compensated": 1, "meanMs": 40, "p50Ms": 30, "p95Ms": 80, "p99Ms": 90}],
       "failures": [], "backlog": []}
      """;

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    page.clock().install();
    service.answers("GET /sagas/overview", OVERVIEW);
    service.answers("GET /sagas/definitions", "[]");
    service.answers("GET /sagas/replicas", "[]");
    service.answers("GET /sagas/minutes", MINUTES);
    service.answers("GET /sagas/services", "[" + ServiceJson.of("order-service") + "]");
    service.answers("GET /sagas/services/order-service/parked-messages", "[]");
    service.answers("GET /sagas/services/order-service/parked-messages/groups", "[]");
    service.answers("GET /deferred-replies", "[]");
    service.answers("GET /sagas", "{\"sagas\": []}");
    service.answers("GET /sagas/count", "{\"count\": 0, \"exact\": true}");
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    service.answers("GET /operator-audit", "{\"entries\": []}");
    service.answers(
        "GET /operator-audit/verification",
        "{\"intact\": true, \"entries\": 0, \"brokenAt\": null, \"lastHash\": \"0\"}");
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sagas",
        "repairs",
        "parked",
        "definitions",
        "time",
        "replicas",
        "participants",
        "audit"
      })
  void aViewSaysAsOfWhenItIs(String path) {
    tab.open(path);
    assertThat(page.locator("h1")).isVisible();
    page.clock().runFor(1_000);
    assertThat(page.locator("oc-freshness"))
        .hasText(Pattern.compile("^\\s*as of \\d\\d:\\d\\d:\\d\\d\\s*$"));
  }

  /** In both themes, with the figures of each chart as a table. */
  @Test
  void figuresOverTimeAreAccessible() {
    tab.open("time");
    Locator ended =
        page.locator("oc-chart").filter(new Locator.FilterOptions().setHasText("Ended"));
    ended.locator("summary").click();
    assertThat(
            ended.getByRole(
                AriaRole.ROW, new Locator.GetByRoleOptions().setName(Pattern.compile(" 2 1$"))))
        .isVisible();
    tab.expectAccessible("figures over time in light");
    tab.prefer(ColorScheme.DARK);
    tab.expectAccessible("figures over time in dark");
  }

  /** Before: green and "Live" for half a minute, with figures of before. */
  @ParameterizedTest
  @CsvSource({
    "'', GET /sagas/overview",
    "sagas, GET /sagas",
    "participants, GET /sagas/services",
    "repairs, GET /sagas/repairs"
  })
  void aViewWhoseAnswerIsDueIsNotLive(String path, String request) {
    tab.open(path);
    Locator live = page.getByText("Live", new Page.GetByTextOptions().setExact(true));
    assertThat(live).isVisible();
    String colour = colourOfHeading();
    Held polls = service.holds(request);
    page.clock().runFor(6_000);
    polls.await();
    page.clock().runFor(10_000);
    assertThat(banner()).containsText(Pattern.compile("Not live: as of \\d\\d:\\d\\d:\\d\\d"));
    assertThat(live).hasCount(0);
    assertThat(colourOfHeading()).as("figures are dimmed").isNotEqualTo(colour);
  }

  @Test
  void itIsLiveAgainOnceThatIsAnswered() {
    tab.open("");
    assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true))).isVisible();
    Held polls = service.holds("GET /sagas/overview");
    page.clock().runFor(3_000);
    polls.await();
    page.clock().runFor(10_000);
    assertThat(banner()).containsText("Not live");
    service.answers("GET /sagas/overview", OVERVIEW);
    polls.answer(OVERVIEW);
    assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true))).isVisible();
    page.clock().runFor(1_000);
    assertThat(banner()).not().containsText("Not live");
  }

  /** Before: a small word beside the heading. */
  @Test
  void aServiceThatIsAwayIsSaidInTheBanner() {
    tab.open("");
    assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true))).isVisible();
    service.refuses("GET /sagas/overview", 502, "The service is unreachable");
    tab.expectError("status of 502");
    page.clock().runFor(3_000);
    assertThat(page.getByText("Reconnecting")).isVisible();
    page.clock().runFor(10_000);
    assertThat(banner()).containsText("The service is unreachable");
  }

  private Locator banner() {
    return page.locator("oc-freshness [role=status]");
  }

  private String colourOfHeading() {
    return (String) page.locator("h1").evaluate("(it) => getComputedStyle(it).color");
  }
}
