package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each number leads to the rows that it counts. That the filters of these links find as many is
 * shown where they are read, in the orchestrator.
 */
@BrowserTest
class ConsoleNumbersTest {

  private static final String FIRST = "0199c3a4-0000-7000-8000-000000000001";
  private static final String SECOND = "0199c3a4-0000-7000-8000-000000000002";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers(
        "GET /sagas/overview",
        """
        {"at": "2026-11-23T16:40:12Z", "open": 45, "running": 15, "compensating": 1, "stuck": 23,
         "quarantined": 6, "overdue": 2, "parked": 4, "outbox": {"messages": 0, "oldestAgeMs": 0},
         "startedPerSecond": 1, "endedPerSecond": 1, "p50Ms": 40, "p95Ms": 80, "p99Ms": 90,
         "steps": [{"definition": "place-order", "version": 1, "step": "process-payment",
           "direction": "backward", "count": 24, "oldestAgeMs": 1000}],
         "awaited": []}
        """);
    service.answers(
        "GET /sagas/definitions",
        """
        [{"name": "place-order", "versions": [{"version": 1, "startVersion": true, "open": 45,
          "ended": null, "searchable": [], "steps": [{"name": "process-payment", "kind": "step",
          "command": "ProcessPayment", "participant": "payment-service",
          "compensation": "refund-payment", "parallelGroup": null}]}]}]
        """);
    service.answers(
        "GET /sagas/services",
        "[%s, %s]"
            .formatted(
                parking(4, ServiceJson.of("order-service")),
                parking(6, ServiceJson.of("payment-service"))));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @ParameterizedTest
  @CsvSource({
    "Open, 45, sagas?open=true",
    "Running, 15, sagas?status=RUNNING&quarantined=false",
    "Compensating, 1, sagas?status=COMPENSATING&quarantined=false",
    "Stuck, 23, sagas?status=STUCK&quarantined=false",
    "Overdue, 2, sagas?overdue=true",
    "Quarantined, 6, sagas?quarantined=true",
    "Parked messages, 10, parked",
  })
  void aFigureLeadsToWhatItCounts(String label, String number, String address) {
    tab.open("");
    Locator tile =
        page.locator("oc-tile")
            .filter(
                new Locator.FilterOptions().setHasText(Pattern.compile("^\\s*" + label + "\\b")));
    assertThat(tile.locator(".value")).hasText(number);
    assertThat(tile.locator("a")).hasAttribute("href", "/console/" + address);
  }

  /** Before: it led to those that are compensating, and 23 of the 24 were stuck. */
  @Test
  void aNumberOfTheGraphLeadsToThoseThatWaitThere() {
    tab.open("");
    assertThat(page.locator("oc-graph a.backward"))
        .hasAttribute(
            "href",
            "/console/sagas?definition=place-order&version=1&step=process-payment&direction=backward");
  }

  /** Before: to all of the version, those that have ended included. */
  @Test
  void theOpenOnesOfADefinitionAreThoseThatHaveNotEnded() {
    tab.open("definitions");
    assertThat(tab.link("45"))
        .hasAttribute("href", "/console/sagas?definition=place-order&version=1&open=true");
  }

  /** Before: "20 found" above one row, since they were counted when the page was opened. */
  @Test
  void aListThatIsCompleteIsCountedByItsRows() {
    service.answers("GET /sagas", "{\"sagas\": [" + saga(FIRST) + "]}");
    service.answers("GET /sagas/count", "{\"count\": 20, \"exact\": true}");
    tab.open("sagas?open=true");
    assertThat(page.getByText("1 found")).isVisible();
    assertThat(page.getByLabel("Status")).hasValue("OPEN");
  }

  /** Before: those of one service, and an error where that was away. */
  @Test
  void parkedMessagesAreThoseOfAllServicesThatAnswer() {
    service.answers("GET /deferred-replies", "[]");
    service.answers("GET /sagas/services/order-service/parked-messages/groups", "[]");
    service.answers("GET /sagas/services/payment-service/parked-messages/groups", "[]");
    service.answers(
        "GET /sagas/services/order-service/parked-messages", "[" + parked(FIRST, "First") + "]");
    service.answers(
        "GET /sagas/services/payment-service/parked-messages",
        "[" + parked(SECOND, "Second") + "]");
    tab.open("parked");
    assertThat(page.locator("oc-parked li").first()).containsText("Second at payment-service");
    assertThat(page.locator("oc-parked li").last()).containsText("First at order-service");
    service.refuses("GET /sagas/services/payment-service/parked-messages", 503, "Request failed");
    tab.expectError("status of 503");
    tab.button("Refresh").click();
    assertThat(page.getByText("payment-service is not in this list")).isVisible();
    assertThat(page.getByText("First at order-service")).isVisible();
  }

  private static String parking(int messages, String json) {
    return json.replace("\"parked\": 0", "\"parked\": " + messages);
  }

  private static String saga(String id) {
    return """
    {"id": "%s", "definition": "place-order", "version": 1, "subjectId": "%s",
     "status": "RUNNING", "reason": null, "startedAt": "2026-11-23T16:40:12Z",
     "nextActionAt": null, "endedAt": null, "quarantine": null, "steps": [], "attempts": 0,
     "customer": null, "attributes": null}
    """
        .formatted(id, SECOND);
  }

  private static String parked(String id, String type) {
    return """
    {"id": "%s", "queue": "q", "messageId": "m", "type": "%s", "correlationId": null,
     "reason": "handling-failed", "detail": "it failed", "parkedAt": "2026-11-23T16:40:12Z",
     "attempts": 1, "redrives": 0, "editedBy": null, "editedAt": null}
    """
        .formatted(id, type);
  }
}
