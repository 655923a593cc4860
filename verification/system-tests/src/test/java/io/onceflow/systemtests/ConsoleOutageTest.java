package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A gateway was out for half an hour with 5,000 sagas open: what happened is understood and
 * repaired by following what needs attention, without a search, a filter or a shell.
 */
@BrowserTest
@Tag("nightly")
class ConsoleOutageTest {

  private static final String PRINT = "0123456789abcdef0123456789abcdef";
  private static final String ID = "0199c3a4-0000-7000-8000-000000000001";
  private static final String SERVICES = "GET /sagas/services";
  private static final String OVERVIEW = "GET /sagas/overview";
  private static final String PARKED = "/sagas/services/payment-service/parked-messages";
  private static final String WHY = "the gateway is back";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void anOutageOfAGatewayIsUnderstoodAndRepairedByWhatNeedsAttention() {
    theGatewayIsOut();
    tab.open("attention");
    assertThat(causes().nth(0)).containsText("payment-service makes no calls for gateway");
    assertThat(causes().nth(0)).containsText("4,987 of 5,000 open sagas wait for it");
    assertThat(causes().nth(1)).containsText("3,200 sagas stuck");
    assertThat(causes().nth(2)).containsText("1,812 messages parked at payment-service");
    tab.expectAccessible("an outage");
    tab.picture("attention");

    tab.link("What the steps fail of").click();
    assertThat(rows().first()).containsText("undo process-payment");
    assertThat(rows().first()).containsText("the gateway answered 503");

    theGatewayIsBack();
    tab.link("Needs attention").click();
    assertThat(causes()).hasCount(2);
    retryTheGroup();
    redriveTheGroup();
    tab.link("Needs attention").click();
    assertThat(page.getByText("Nothing needs attention.")).isVisible();
    assertThat(tab.link("Parked")).hasText("Parked");
  }

  private void retryTheGroup() {
    service.answers(
        "POST /sagas/repairs",
        """
        {"dryRun": true, "count": 3200, "exact": true, "allowed": 500, "refused": 0, "samples": [],
         "warnings": [], "filterHash": "0"}
        """);
    tab.link("What the steps fail of").click();
    tab.link("Retry group").click();
    page.getByLabel("Reason, for the audit").fill(WHY);
    tab.button("Preview (dry run)").click();
    service.answers("POST /sagas/repairs", repair("RUNNING", 0));
    service.answers("GET /sagas/repairs/" + ID, repair("FINISHED", 3200));
    service.answers("GET /sagas/repairs/" + ID + "/sagas", "{\"sagas\": []}");
    service.answers(OVERVIEW, overview(13, 0, 13));
    tab.button("Retry 3,200 sagas").click();
    assertThat(page.getByText("3,200 of 3,200 repaired")).isVisible();
  }

  private void redriveTheGroup() {
    tab.link("Needs attention").click();
    causes()
        .first()
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("1,812").setExact(true))
        .click();
    assertThat(page).hasURL(Pattern.compile("parked\\?service=payment-service$"));
    service.answers(
        "POST " + PARKED + "/jobs",
        "{\"dryRun\": true, \"count\": 1812, \"tooOld\": 0, \"waiting\": 0, \"samples\": []}");
    tab.button("Redrive group").click();
    page.locator("section[aria-label=Preview]").getByLabel("Reason, for the audit").fill(WHY);
    service.answers("POST " + PARKED + "/jobs", job("RUNNING", 0));
    service.answers("GET " + PARKED + "/jobs", "[" + job("RUNNING", 40) + "]");
    tab.button("Redrive 1,812 messages").click();
    assertThat(page.getByText("40 of 1,812 messages handled")).isVisible();
    service.answers("GET " + PARKED + "/groups", "[]");
    service.answers("GET " + PARKED, "[]");
    service.answers(SERVICES, services("CLOSED", 0));
    service.answers("GET " + PARKED + "/jobs", "[" + job("FINISHED", 1812) + "]");
    assertThat(page.getByText("1,812 of 1,812 messages handled")).isVisible();
    assertThat(page.getByText("No parked messages")).isVisible();
  }

  private void theGatewayIsOut() {
    service.answers(OVERVIEW, overview(5000, 3200, 4987));
    service.answers(SERVICES, services("OPEN", 1812));
    service.answers("GET " + PARKED, "[]");
    service.answers(
        "GET " + PARKED + "/groups",
        """
        [{"fingerprint": "%s", "queue": "payment-service.commands", "type": "RefundPayment",
          "reason": "handling-failed", "cause": "the gateway answered 503", "count": 1812,
          "firstAt": "2026-11-23T16:10:00Z", "lastAt": "2026-11-23T16:39:12Z", "redrives": 0,
          "waiting": 0, "samples": ["%s"]}]
        """
            .formatted(PRINT, ID));
    service.answers(
        "GET /sagas/failures",
        """
        {"complete": true, "groups": [
          {"fingerprint": "%s", "definition": "place-order", "step": "process-payment",
           "direction": "backward", "kind": "refused", "error": "the gateway answered 503",
           "count": 3200, "firstAt": "2026-11-23T16:10:00Z", "lastAt": "2026-11-23T16:39:12Z",
           "samples": ["%s"]}]}
        """
            .formatted(PRINT, ID));
  }

  private void theGatewayIsBack() {
    service.answers(OVERVIEW, overview(3213, 3200, 3213));
    service.answers(SERVICES, services("CLOSED", 1812));
  }

  private Locator causes() {
    return page.locator("oc-attention oc-table tbody tr");
  }

  private Locator rows() {
    return page.locator("oc-failures oc-table tbody tr");
  }

  private static String services(String breaker, int parked) {
    String payments =
        ServiceJson.of("payment-service")
            .replace("\"parked\": 0", "\"parked\": " + parked)
            .replace(
                "\"breakers\": []",
                "\"breakers\": [{\"target\": \"gateway\", \"state\": \"" + breaker + "\"}]");
    return "[" + ServiceJson.of("order-service") + "," + payments + "]";
  }

  private static String overview(int open, int stuck, int awaited) {
    return """
    {"at": "2026-11-23T16:40:12Z", "open": %s, "running": 13, "compensating": 0, "stuck": %s,
     "quarantined": 0, "held": 0, "overdue": 0, "parked": 0,
     "since": {"stuck": "2026-11-23T16:10:00Z", "quarantined": null, "held": null,
       "overdue": null},
     "outbox": {"messages": 0, "oldestAgeMs": 0}, "startedPerSecond": 3, "endedPerSecond": 1,
     "p50Ms": 40, "p95Ms": 80, "p99Ms": 90, "steps": [],
     "awaited": [{"participant": "payment-service", "command": "payment", "sagas": %s}]}
    """
        .formatted(open, stuck, awaited);
  }

  private static String repair(String status, int repaired) {
    return """
    {"id": "%s", "action": "retry", "filter": {"definition": "place-order", "failure": "%s"},
     "reason": "%s", "perSecond": 20, "status": "%s", "startedBy": "olga", "approvedBy": null,
     "startedAt": "2026-11-23T16:41:12Z", "finishedAt": %s, "total": 3200, "done": {
       "requested": 0, "repaired": %s, "failed": 0, "refused": 0, "pending": %s},
     "etaMs": null, "failureReasons": [], "hidden": false}
    """
        .formatted(
            ID,
            PRINT,
            WHY,
            status,
            status.equals("FINISHED") ? "\"2026-11-23T16:44:12Z\"" : "null",
            repaired,
            3200 - repaired);
  }

  private static String job(String status, int handled) {
    return """
    {"id": "%s", "action": "redrive", "group": "%s", "queue": "q", "type": "RefundPayment",
     "parkedFor": "handling-failed", "reason": "%s", "perSecond": 20, "status": "%s",
     "startedBy": "olga", "startedAt": "%s", "finishedAt": %s, "total": 1812, "handled": %s,
     "failed": 0, "pending": %s, "failures": {}, "etaMs": null}
    """
        .formatted(
            ID,
            PRINT,
            WHY,
            status,
            Instant.now(),
            status.equals("FINISHED") ? "\"" + Instant.now() + "\"" : "null",
            handled,
            1812 - handled);
  }
}
