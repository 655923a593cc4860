package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the overview says stands in the way of the sagas, each with the rows that it is about. */
@BrowserTest
class ConsoleCausesTest {

  private static final String OVERVIEW = "GET /sagas/overview";
  private static final String SERVICES = "GET /sagas/services";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void noDefinitions() {
    service.answers("GET /sagas/definitions", "[]");
  }

  @AfterEach
  void close() {
    tab.close();
  }

  /** Before: "No problems found" in green for as long as no saga was stuck. */
  @Test
  void aServiceThatIsUnreachableIsOneAndSoAreTheSagasThatWaitForIt() {
    service.answers(OVERVIEW, overview("0.5", "1.0"));
    service.answers(SERVICES, "[" + ServiceJson.unreachable("payment-service") + "]");
    tab.open("");
    assertThat(causes()).containsText("payment-service is unreachable");
    assertThat(causes()).containsText("Cannot connect to payments:8081.");
    leads("69 of 76 open sagas wait for it", "/console/sagas?command=payment");
    assertThat(page.getByText("No problems found.")).hasCount(0);
    tab.expectAccessible("causes");
  }

  /** Before: what operators had done themselves was no problem to the page, and had no reason. */
  @Test
  void aPauseIsOneWithItsReason() {
    service.answers(OVERVIEW, overview("0.5", "1.0"));
    String paused =
        ServiceJson.of("payment-service")
            .replace("\"paused\": false", "\"paused\": true")
            .replace("\"pausedBy\": null", "\"pausedBy\": \"olga\"")
            .replace("\"pausedReason\": null", "\"pausedReason\": \"the gateway is maintained\"");
    service.answers(SERVICES, "[" + paused + "]");
    tab.open("");
    leads("payment-service is paused by olga", "/console/participants");
    assertThat(causes()).containsText("the gateway is maintained");
    leads("69 of 76 open sagas wait for it", "/console/sagas?command=payment");
  }

  @Test
  void anOpenCircuitBreakerIsOne() {
    service.answers(OVERVIEW, overview("0.5", "1.0"));
    String broken =
        ServiceJson.of("payment-service")
            .replace(
                "\"breakers\": []",
                "\"breakers\": [{\"target\": \"ProcessPayment\", \"state\": \"OPEN\"}]");
    service.answers(SERVICES, "[" + broken + "]");
    tab.open("");
    leads(
        "payment-service makes no calls for ProcessPayment: circuit breaker open",
        "/console/participants");
    leads("69 of 76 open sagas wait for it", "/console/sagas?command=payment");
  }

  @Test
  void thatNothingEndsIsOne() {
    service.answers(OVERVIEW, overview("0.5", "0"));
    service.answers(SERVICES, "[" + ServiceJson.of("payment-service") + "]");
    tab.open("");
    leads("no saga has ended within the last minute; 76 are open", "/console/sagas?open=true");
  }

  /** Before: the page did not ask them. */
  @Test
  void noProblemsAreFoundBeforeTheServicesHaveAnswered() {
    service.answers(OVERVIEW, overview("0.5", "1.0"));
    ScriptedService.Held services = service.holds(SERVICES);
    tab.open("");
    services.await();
    assertThat(page.getByText("Reading the state of the services …")).isVisible();
    assertThat(page.getByText("No problems found.")).hasCount(0);
    services.answer("[" + ServiceJson.of("payment-service") + "]");
    assertThat(page.getByText("No problems found.")).isVisible();
  }

  private Locator causes() {
    return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Needs attention"));
  }

  private void leads(String link, String address) {
    assertThat(causes().getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(link)))
        .hasAttribute("href", address);
  }

  /** Of 76 open sagas, 69 of which have waited for payments for two minutes. */
  private static String overview(String started, String ended) {
    return """
        {"at": "2026-11-23T16:40:12Z", "open": 76, "running": 76, "compensating": 0, "stuck": 0,
         "quarantined": 0, "overdue": 0, "parked": 0, "outbox": {"messages": 0, "oldestAgeMs": 0},
         "startedPerSecond": %s, "endedPerSecond": %s, "p50Ms": 40, "p95Ms": 80, "p99Ms": 90,
         "steps": [{"definition": "place-order", "version": 1, "step": "process-payment",
           "direction": "forward", "count": 69, "oldestAgeMs": 120000}],
         "awaited": [{"participant": "payment-service", "command": "payment", "sagas": 69},
           {"participant": "shipping-service", "command": "shipping", "sagas": 7}]}
        """
        .formatted(started, ended);
  }
}
