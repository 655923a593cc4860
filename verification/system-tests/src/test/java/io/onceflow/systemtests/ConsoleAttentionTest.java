package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator has to do something about, in one list. */
@BrowserTest
class ConsoleAttentionTest {

  private static final String SERVICES = "GET /sagas/services";
  private static final String NOTHING = "Nothing needs attention.";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void allIsWell() {
    service.answers("GET /sagas/overview", overview(0, 0, 0));
    service.answers(SERVICES, "[" + ServiceJson.of("payment-service") + "]");
  }

  @AfterEach
  void close() {
    tab.close();
  }

  /** And not before all that could tell of something has answered. */
  @Test
  void whereNothingNeedsAttentionItSaysSo() {
    ScriptedService.Held replicas = service.holds("GET /sagas/replicas");
    tab.open("attention");
    assertThat(page.getByText("Reading the state of the replicas …")).isVisible();
    assertThat(page.getByText(NOTHING)).hasCount(0);
    replicas.answer("[]");
    assertThat(page.getByText(NOTHING)).isVisible();
    tab.expectAccessible("nothing that needs attention");
  }

  @Test
  void theWorstIsFirstAndOfThoseTheLargest() {
    service.answers("GET /sagas/overview", overview(3, 24, 5));
    tab.open("attention");
    assertThat(rows()).hasCount(3);
    assertThat(rows().nth(0)).containsText("24 sagas quarantined");
    assertThat(rows().nth(1)).containsText("3 sagas stuck");
    assertThat(rows().nth(2)).containsText("5 sagas on hold");
    assertThat(page.getByRole(AriaRole.MAIN).getByText("3 causes")).isVisible();
    tab.expectAccessible("what needs attention");
    tab.prefer(ColorScheme.DARK);
    tab.expectAccessible("what needs attention, in dark");
  }

  @Test
  void eachHasItsNumberTheTimeSinceWhenAndWhatToDo() {
    service.answers("GET /sagas/overview", overview(0, 24, 0));
    tab.open("attention");
    leads(rows().first(), "24", "/console/sagas?quarantined=true");
    assertThat(rows().first().locator("time")).hasAttribute("datetime", "2026-11-23T16:20:00Z");
    assertThat(rows().first()).containsText("Read on one of them why handling it fails");
  }

  /** Their times are those of the first message of the service's groups. */
  @Test
  void parkedMessagesSaySinceWhen() {
    service.answers(
        SERVICES,
        "[" + ServiceJson.of("payment-service").replace("\"parked\": 0", "\"parked\": 7") + "]");
    service.answers(
        "GET /sagas/services/payment-service/parked-messages/groups",
        """
        [{"fingerprint": "0123456789abcdef0123456789abcdef", "queue": "q", "type": "T",
          "reason": "handling-failed", "cause": "it is away", "count": 7,
          "firstAt": "2026-11-23T16:10:00Z", "lastAt": "2026-11-23T16:41:12Z", "redrives": 0,
          "waiting": 0, "samples": []}]
        """);
    tab.open("attention");
    leads(rows().first(), "7", "/console/parked?service=payment-service");
    assertThat(rows().first().locator("time")).hasAttribute("datetime", "2026-11-23T16:10:00Z");
  }

  /** Before: shown on the metrics alone. */
  @Test
  void moneyThatIsNotBackAndBooksThatDifferAreShown() {
    service.answers(
        SERVICES,
        "["
            + ServiceJson.of("payment-service")
                .replace(
                    "\"parked\": 0", "\"parked\": 0, \"refundsFailed\": 2, \"bookDifferences\": 1")
            + "]");
    tab.open("attention");
    assertThat(rows().nth(0)).containsText("2 refunds of payment-service failed");
    assertThat(rows().nth(1)).containsText("1 difference between the books of payment-service");
  }

  @Test
  void whatTheBrokerDoesAndReplicasLackIsShown() {
    service.answers(
        SERVICES,
        "["
            + ServiceJson.of("payment-service")
                .replace("\"warning\": null", "\"warning\": \"it drops messages after 1 h\"")
            + "]");
    service.answers(
        "GET /sagas/replicas",
        """
        [{"id": "r1", "self": true, "living": true, "build": "1", "host": "orders-1",
          "startedAt": "2026-11-23T16:00:00Z", "seenAt": "2026-11-23T16:40:00Z", "roles": [],
          "knows": [], "lacks": ["place-order v2"], "loops": [], "connections": null, "heap": null}]
        """);
    service.answers(
        "GET /sagas/definitions",
        """
        [{"name": "place-order", "replicas": 1, "hold": null, "start": null, "versions": [
          {"version": 1, "startVersion": false, "share": 0, "knownBy": 0, "drained": false,
           "open": 4, "ended": null, "searchable": [], "steps": []}]}]
        """);
    tab.open("attention");
    leads(rows().nth(0), "4", "/console/sagas?definition=place-order&version=1&open=true");
    assertThat(page.locator("oc-table")).containsText("it drops messages after 1 h");
    assertThat(page.locator("oc-table"))
        .containsText("replica orders-1 does not know place-order v2");
  }

  @Test
  void theOverviewLeadsToIt() {
    service.answers("GET /sagas/overview", overview(3, 0, 0));
    tab.open("");
    tab.link("Since when, and what to do").click();
    assertThat(tab.heading("Needs attention")).isVisible();
  }

  private Locator rows() {
    return page.locator("oc-table tbody tr");
  }

  private static void leads(Locator row, String number, String address) {
    assertThat(
            row.getByRole(
                AriaRole.LINK, new Locator.GetByRoleOptions().setName(number).setExact(true)))
        .hasAttribute("href", address);
  }

  private static String overview(int stuck, int quarantined, int held) {
    return """
        {"at": "2026-11-23T16:40:12Z", "open": 45, "running": 15, "compensating": 0, "stuck": %s,
         "quarantined": %s, "held": %s, "overdue": 0, "parked": 0,
         "since": {"stuck": "2026-11-23T16:00:00Z", "quarantined": "2026-11-23T16:20:00Z",
           "held": "2026-11-23T16:30:00Z", "overdue": null},
         "outbox": {"messages": 0, "oldestAgeMs": 0}, "startedPerSecond": 1, "endedPerSecond": 1,
         "p50Ms": 40, "p95Ms": 80, "p99Ms": 90, "steps": [], "awaited": []}
        """
        .formatted(stuck, quarantined, held);
  }
}
