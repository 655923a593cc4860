package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.onceflow.systemtests.ScriptedService.Held;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the console shows of answers that are late, out of order, or of another question than the
 * one that its user sees.
 */
@BrowserTest
class ConsoleAnswersTest {

  private static final String PARKED_AT_ORDERS =
      "GET /sagas/services/order-service/parked-messages";
  private static final String PARKED_AT_PAYMENTS =
      "GET /sagas/services/payment-service/parked-messages";

  private static final String FIRST = "0199c3a4-0000-7000-8000-000000000001";
  private static final String SECOND = "0199c3a4-0000-7000-8000-000000000002";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void noGroups() {
    for (String at :
        new String[] {"", "/sagas/services/order-service", "/sagas/services/payment-service"}) {
      service.answers("GET " + at + "/parked-messages/groups", "[]");
    }
  }

  @AfterEach
  void close() {
    tab.close();
  }

  /** Found by reading: the form as it had become was started under the forecast of another. */
  @Test
  void nothingIsStartedThatWasNotForeseen() {
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    Held forecast = service.holds("POST /sagas/repairs");
    tab.open("repairs?new=true&status=STUCK");
    page.getByLabel("Reason, for the audit").fill("the gateway is back");
    tab.button("Preview (dry run)").click();
    forecast.await();
    page.getByLabel("Sagas that are").selectOption("RUNNING");
    forecast.answer(forecast(3, 3, 0, ""));
    assertThat(tab.button("Preview (dry run)")).isEnabled();
    assertThat(tab.button("Retry 3 sagas")).hasCount(0);
  }

  /** Before: 24 could be repaired, and their participant was dead. */
  @Test
  void aPreviewWarnsOfWhatItCannotTry() {
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    service.answers(
        "POST /sagas/repairs",
        forecast(24, 21, 3, "\"payment-service is unreachable; sagas that wait for it: 24.\""));
    tab.open("repairs?new=true&status=STUCK");
    page.getByLabel("Reason, for the audit").fill("the gateway is back");
    tab.button("Preview (dry run)").click();
    assertThat(page.getByText("24 sagas match; 21 can be retried, 3 cannot.")).isVisible();
    assertThat(page.getByText("payment-service is unreachable")).isVisible();
    assertThat(tab.button("Retry 24 sagas")).isEnabled();
    service.answers("POST /sagas/repairs", forecast(24, 24, 0, ""));
    tab.button("Preview (dry run)").click();
    assertThat(page.getByText("24 sagas match; all 24 can be retried.")).isVisible();
  }

  /** Before: "finished" in green, with none of three repaired. */
  @Test
  void aRepairThatRepairedNoneIsNotGood() {
    service.answers("GET /sagas/repairs", "{\"repairs\": [" + repairOf(0, 3) + "]}");
    tab.open("repairs");
    assertThat(page.locator("oc-status .badge")).hasClass("badge bad");
    service.answers("GET /sagas/repairs", "{\"repairs\": [" + repairOf(3, 0) + "]}");
    page.reload();
    assertThat(page.locator("oc-status .badge")).hasClass("badge good");
  }

  /** Found by reading: it named the service that was chosen last, above the messages of another. */
  @Test
  void theServiceThatIsNamedIsTheOneWhoseMessagesAreShown() {
    servicesAre("order-service", "payment-service");
    service.answers(PARKED_AT_ORDERS, "[]");
    service.answers(PARKED_AT_PAYMENTS, "[" + parked(FIRST, "ProcessPayment") + "]");
    tab.open("parked");
    for (String chosen : List.of("payment-service", "order-service", "payment-service")) {
      page.getByLabel("Service").selectOption(chosen);
      assertThat(page).hasURL(Pattern.compile("service=" + chosen));
    }
    assertThat(page.getByText("ProcessPayment")).isVisible();
    page.goBack();
    assertThat(page.getByText("No parked messages")).isVisible();
    assertThat(page.getByLabel("Service")).hasValue("order-service");
  }

  /** Found by reading: its messages stayed where the service that was asked next did not answer. */
  @Test
  void whatOneServiceAnsweredIsNotShownForAnother() {
    servicesAre("order-service", "payment-service");
    service.answers(PARKED_AT_ORDERS, "[" + parked(FIRST, "PaymentProcessed") + "]");
    service.refuses(PARKED_AT_PAYMENTS, 503, "payment-service cannot be reached");
    tab.expectError("status of 503");
    tab.open("parked");
    assertThat(page.getByText("PaymentProcessed")).isVisible();
    page.getByLabel("Service").selectOption("payment-service");
    assertThat(page.getByText("payment-service cannot be reached")).isVisible();
    assertThat(page.getByText("PaymentProcessed")).hasCount(0);
  }

  /** Found by reading: "3 found" stood beside the filter that could not be counted. */
  @Test
  void theNumberOfAnotherFilterIsNotShownWhereCountingFails() {
    service.answers("GET /sagas", "{\"sagas\": [], \"next\": \"" + FIRST + "\"}");
    service.answers("GET /sagas/count", "{\"count\": 3, \"exact\": true}");
    tab.open("sagas?status=STUCK");
    assertThat(page.getByText("3 found")).isVisible();
    service.refuses("GET /sagas/count", 503, "The query takes too long");
    service.refuses("GET /sagas", 503, "The query takes too long");
    tab.expectError("status of 503");
    page.getByLabel("Status").selectOption("RUNNING");
    tab.button("Filter").click();
    assertThat(page.getByText("The query takes too long")).isVisible();
    assertThat(page.getByText("3 found")).hasCount(0);
    assertThat(page.getByText("No sagas match")).hasCount(0);
  }

  /** Found by reading: the list was of all sagas, and the form still said that they are stuck. */
  @Test
  void aFormSaysWhatItsListIsNarrowedBy() {
    sagasAre("[]");
    service.answers("GET /sagas/count", "{\"count\": 0, \"exact\": true}");
    tab.open("sagas?quarantined=true");
    page.getByLabel("Status").selectOption("STUCK");
    tab.button("Filter").click();
    assertThat(page).hasURL(Pattern.compile("status=STUCK"));
    page.getByLabel("Reason").fill("not asked for yet");
    tab.link("Clear").click();
    assertThat(page).hasURL(Pattern.compile("/console/sagas$"));
    assertThat(page.getByLabel("Status")).hasValue("");
    assertThat(page.getByLabel("Reason")).hasValue("");
    assertThat(page.getByLabel("In quarantine")).hasValue("");
  }

  /** Found by reading: a page that got no answer any more was "Live" until it was closed. */
  @Test
  void whatIsNotAnsweredAnyMoreIsNotLive() {
    page.clock().install();
    sagasAre("[]");
    service.answers("GET /sagas/count", "{\"count\": 0, \"exact\": true}");
    tab.open("sagas");
    assertThat(page.getByText("Live", exactly())).isVisible();
    Held polls = service.holds("GET /sagas");
    page.clock().runFor(2_500);
    polls.await();
    page.clock().runFor(31_000);
    assertThat(page.getByText("It did not respond within 30 s.")).isVisible();
    assertThat(page.getByText("Reconnecting")).isVisible();
  }

  /** Before: what RabbitMQ does to a queue was in the API alone. */
  @Test
  void aQueueThatIsNotAsItHasToBeSaysSo() {
    service.answers(
        "GET /sagas/services",
        """
        [{"name": "payment-service", "url": null, "reachable": true, "why": null,
          "participant": {"name": "payment-service", "handledPerSecond": 1, "p50Ms": 1, "p95Ms": 1, "p99Ms": 1,
            "failures": 0, "breakers": [], "paused": false, "pausedBy": null, "pausedAt": null,
            "parked": 0, "outboxOldestAgeMs": null,
            "queues": [{"queue": "payment-service.commands", "depth": 0, "consumers": 1,
                        "paused": false, "warning": "messages expire in it"}]}}]
        """);
    tab.open("participants");
    assertThat(page.getByText("payment-service.commands: messages expire in it")).isVisible();
  }

  /** Before: its saga was shown as undone, and only the metric told of the refund. */
  @Test
  void aRefundThatFailsAfterItsSagaHasEndedIsShownWithTheSaga() {
    String saga =
        """
        {"id": "%s", "definition": "place-order", "version": 1, "status": "COMPENSATED",
         "reason": "declined", "startedAt": "2026-11-23T16:40:11Z", "nextActionAt": null,
         "deadlineAt": null, "endedAt": "2026-11-23T16:40:13Z", "quarantine": null, "steps": [],
         "history": []}
        """
            .formatted(FIRST);
    service.answers("GET /sagas/" + FIRST, saga);
    service.answers(
        "GET /sagas/" + FIRST + "/details",
        """
        {"saga": %s, "subjectId": "%s", "customer": null, "rootKey": null, "attributes": null,
         "hidden": true, "origin": "order-service/place-order", "traceId": null, "traceUrl": null,
         "waiting": null, "actions": []}
        """
            .formatted(saga, SECOND));
    service.answers("GET /sagas/" + FIRST + "/messages", "[]");
    service.answers("GET /operator-audit", "{\"entries\": [], \"next\": null}");
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /parked-messages", "[]");
    service.answers(
        "GET /sagas/" + FIRST + "/timeline",
        """
        {"id": "%s", "services": [{"name": "payment-service", "answered": true, "why": null}],
         "steps": [{"step": "process-payment", "name": "refund-payment", "compensation": true,
           "local": false, "service": "payment-service", "sentAt": ["2026-11-23T16:40:12Z"],
           "arrivedAt": null, "begunAt": null, "answeredAt": null,
           "receivedAt": "2026-11-23T16:40:13Z", "givenUpAt": null, "dueAt": null,
           "progress": null, "attempts": null, "answer": null, "outcome": "compensated",
           "laterFailure": "stripe has not made the refund r: lost_or_stolen_card"}]}
        """
            .formatted(FIRST));
    tab.open("sagas/" + FIRST);
    assertThat(page.getByRole(AriaRole.ALERT))
        .containsText("refund-payment failed after it was answered: stripe has not made");
  }

  /**
   * Before: its audit said that no operator had done anything to it, and its parked reply was
   * unknown to it.
   */
  @Test
  void aSagaNamesItsRepairsAndParkedMessages() {
    service.answers("GET /sagas/repairs", "{\"repairs\": [" + repairOf(0, 3) + "]}");
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /parked-messages", "[" + parked(SECOND, "PaymentProcessed") + "]");
    service.answers("GET /operator-audit", "{\"entries\": [], \"next\": null}");
    service.answers("GET /sagas/" + FIRST + "/messages", "[]");
    service.answers(
        "GET /sagas/" + FIRST + "/timeline",
        "{\"id\": \"%s\", \"steps\": [], \"services\": []}".formatted(FIRST));
    String saga =
        """
        {"id": "%s", "definition": "place-order", "version": 1, "status": "RUNNING",
         "reason": null, "startedAt": "2026-11-23T16:40:11Z", "nextActionAt": null,
         "deadlineAt": null, "endedAt": null, "steps": [], "history": [], "quarantine":
         {"since": "2026-11-23T16:40:11Z", "failures": 9, "reason": "IllegalStateException"}}
        """
            .formatted(FIRST);
    service.answers("GET /sagas/" + FIRST, saga);
    service.answers(
        "GET /sagas/" + FIRST + "/details",
        """
        {"saga": %s, "subjectId": "%s", "customer": null, "rootKey": null, "attributes": null,
         "hidden": true, "origin": "order-service/place-order", "traceId": null, "traceUrl": null,
         "waiting": {"step": null, "participant": null, "compensating": false,
         "sentence": "In quarantine since 2026-11-23 16:40:11 UTC."}, "actions": [
         {"action": "cancel", "allowed": false, "why": "it is too late", "comesTo": null}]}
        """
            .formatted(saga, SECOND));
    tab.open("sagas/" + FIRST);
    assertThat(page.getByText("PaymentProcessed is parked")).isVisible();
    assertThat(page.getByText(": it failed")).isVisible();
    assertThat(tab.link("by a repair of 3 sagas"))
        .hasAttribute("href", "/console/repairs/" + FIRST);
    assertThat(page.getByText("No operator")).hasCount(0);
    assertThat(page.getByText("In quarantine since 2026-11-23 16:40:11.")).isVisible();
    assertThat(page.getByText("Cancel is not possible: it is too late.")).isVisible();
  }

  /** Before: it was asked for every two seconds for as long as the page was open. */
  @Test
  void anIdThatNoSagaHasIsAskedForOnce() {
    page.clock().install();
    for (String of : List.of("", "/details", "/messages", "/timeline")) {
      service.refuses("GET /sagas/7" + of, 404, "There is no such saga");
    }
    service.answers("GET /operator-audit", "{\"entries\": [], \"next\": null}");
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /parked-messages", "[]");
    tab.expectError("status of 404");
    tab.open("sagas/7");
    assertThat(page.getByText("There is no such saga").first()).isVisible();
    page.clock().runFor(2_500);
    assertThat(page.getByText("Not live", exactly())).isVisible();
    Held again = service.holds("GET /sagas/7");
    page.clock().runFor(20_000);
    assertThat(again.number()).isZero();
  }

  /** Before: "failed" was opened, and nothing had. */
  @Test
  void aRepairShowsAnOutcomeThatSagasHave() {
    String repair = repairOf(3, 0);
    service.answers("GET /sagas/repairs/" + FIRST, repair);
    service.answers("GET /sagas/repairs/" + FIRST + "/sagas", "{\"sagas\": []}");
    tab.open("repairs/" + FIRST);
    assertThat(page.getByLabel("Outcome")).hasValue("repaired");
  }

  /** Before: the list was loaded again, which one did not see. */
  @Test
  void tryAgainRepeatsTheRedriveThatWasRefused() {
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /deferred-replies", "[]");
    service.answers("GET /parked-messages", "[" + parked(FIRST, "ArrangeShipment") + "]");
    service.answers("GET /parked-messages/" + FIRST, parked(FIRST, "ArrangeShipment"));
    service.refuses("POST /parked-messages/" + FIRST + "/redrive", 409, "It still cannot");
    tab.expectError("status of 409");
    tab.open("parked");
    page.getByText("ArrangeShipment").click();
    tab.button("Redrive").click();
    assertThat(page.getByText("It still cannot").first()).isVisible();
    tab.button("Try again").click();
    assertThat(page.getByText(Pattern.compile("^Tried again at "))).isVisible();
    service.answers("POST /parked-messages/" + FIRST + "/redrive", "{}");
    tab.button("Try again").click();
    assertThat(page.getByText("ArrangeShipment was handled.")).isVisible();
  }

  /** Found by reading: what was typed about one message stood in the editor of the next. */
  @Test
  void theEditorHasTheMessageAsItIs() {
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /deferred-replies", "[]");
    String both = parked(FIRST, "ArrangeShipment") + "," + parked(SECOND, "CancelShipment");
    service.answers("GET /parked-messages", "[" + both + "]");
    service.answers("GET /parked-messages/" + FIRST, parked(FIRST, "ArrangeShipment"));
    service.answers("GET /parked-messages/" + SECOND, parked(SECOND, "CancelShipment"));
    tab.open("parked");
    page.getByText("ArrangeShipment").click();
    tab.button("Edit and redrive").click();
    body().fill("{\"orderId\": \"another\"}");
    tab.button("Cancel").first().click();
    page.getByText("CancelShipment").click();
    assertThat(page.locator("oc-parked [aria-expanded=true]")).containsText("CancelShipment");
    tab.button("Edit and redrive").click();
    assertThat(body()).hasValue("{}");
  }

  /**
   * Found by reading: the second request found nothing, and what was handled was told as failed.
   */
  @Test
  void aSecondPressIsNoSecondRedrive() {
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /deferred-replies", "[]");
    service.answers("GET /parked-messages", "[" + parked(FIRST, "ArrangeShipment") + "]");
    service.answers("GET /parked-messages/" + FIRST, parked(FIRST, "ArrangeShipment"));
    Held redrives = service.holds("POST /parked-messages/" + FIRST + "/redrive");
    tab.open("parked");
    page.getByText("ArrangeShipment").click();
    tab.button("Redrive").dblclick();
    redrives.await();
    service.answers("GET /parked-messages", "[]");
    int number = redrives.number();
    redrives.answer("{}");
    assertThat(page.getByText("ArrangeShipment was handled.")).isVisible();
    assertThat(number + redrives.number()).isEqualTo(1);
  }

  private static String forecast(int count, int allowed, int refused, String warnings) {
    return """
    {"dryRun": true, "count": %s, "exact": true, "allowed": %s, "refused": %s, "samples": [],
     "warnings": [%s], "filterHash": "0"}
    """
        .formatted(count, allowed, refused, warnings);
  }

  private static String repairOf(int repaired, int failed) {
    return """
    {"id": "%s", "action": "retry", "filter": {"quarantined": true}, "reason": "why",
     "perSecond": 20, "status": "FINISHED", "startedBy": "olga", "approvedBy": null,
     "startedAt": "2026-11-23T16:40:12Z", "finishedAt": "2026-11-23T16:40:14Z", "total": 3,
     "done": {"requested": 0, "repaired": %s, "failed": %s, "refused": 0, "pending": 0},
     "etaMs": null, "failureReasons": [], "hidden": false}
    """
        .formatted(FIRST, repaired, failed);
  }

  private void servicesAre(String... names) {
    StringBuilder all = new StringBuilder();
    for (String name : names) {
      all.append(all.isEmpty() ? "" : ",")
          .append(
              "{\"name\": \"%s\", \"url\": null, \"reachable\": true, \"why\": null, \"participant\": null}"
                  .formatted(name));
    }
    service.answers("GET /sagas/services", "[" + all + "]");
    service.answers("GET /deferred-replies", "[]");
  }

  private void sagasAre(String sagas) {
    service.answers("GET /sagas", "{\"sagas\": " + sagas + "}");
  }

  private static String parked(String id, String type) {
    return """
    {"id": "%s", "queue": "q", "messageId": "m", "type": "%s", "correlationId": null, "reason": "failed",
     "detail": "it failed", "parkedAt": "2026-11-23T16:40:12.003Z", "attempts": 1, "redrives": 0, "editedBy": null,
     "editedAt": null, "headers": {}, "payload": "{}", "originalPayload": null}
    """
        .formatted(id, type);
  }

  private Locator body() {
    return page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Body"));
  }

  private static Page.GetByTextOptions exactly() {
    return new Page.GetByTextOptions().setExact(true);
  }
}
