package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Parked messages by their causes, and jobs on groups of them. */
@BrowserTest
@Tag("nightly")
class ConsoleParkedGroupsTest {

  private static final String AT = "/parked-messages";
  private static final String PRINT = "0123456789abcdef0123456789abcdef";
  private static final String FIRST = "0199c3a4-0000-7000-8000-000000000001";
  private static final String JOB = "0199c3a4-0000-7000-8000-000000000009";
  private static final String SECOND = "0199c3a4-0000-7000-8000-000000000002";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /deferred-replies", "[]");
    service.answers("GET " + AT, "[" + parked(SECOND) + "," + parked(FIRST) + "]");
    service.answers(
        "GET " + AT + "/groups",
        """
        [{"fingerprint": "%s", "queue": "q", "type": "ArrangeShipment",
          "reason": "handling-failed", "cause": "order * is away", "count": 2,
          "firstAt": "2026-11-23T16:40:12Z", "lastAt": "2026-11-23T16:41:12Z", "redrives": 3,
          "waiting": 0, "samples": ["%s"]}]
        """
            .formatted(PRINT, FIRST));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void eachCauseLeadsToItsMessages() {
    tab.open("parked");
    assertThat(page.locator("oc-parked-causes")).containsText("order * is away");
    assertThat(page.locator("oc-parked-causes")).containsText("3 times");
    assertThat(page.locator("oc-parked-causes tbody a").first())
        .hasAttribute("href", "/console/parked?group=" + PRINT);
    tab.expectAccessible("causes of parked messages");
  }

  @Test
  void aGroupIsRedrivenByItsServiceAfterAPreview() {
    ScriptedService.Held jobs = service.holds("POST " + AT + "/jobs");
    tab.open("parked");
    tab.button("Redrive group").click();
    jobs.await();
    jobs.answer(
        """
        {"dryRun": true, "count": 2, "tooOld": 1, "waiting": 0, "samples": [
          {"message": "%s", "outcome": "saga-ended", "why": "Its saga has ended: COMPLETED."}]}
        """
            .formatted(SECOND));
    assertThat(page.getByText("would be redriven, the newest first")).isVisible();
    assertThat(page.getByText("1 message stay parked: parked too long ago")).isVisible();
    assertThat(page.getByText("Its saga has ended: COMPLETED.")).isVisible();
    tab.expectAccessible("a redrive of a group that is asked for");

    reason("section[aria-label=Preview]").fill("the gateway is back");
    tab.button("Redrive 2 messages").click();
    jobs.await();
    service.answers("GET " + AT + "/jobs", "[" + job("RUNNING", 1, 0) + "]");
    jobs.answer(job("RUNNING", 0, 0));
    assertThat(page.getByText("1 of 2 messages handled, 0 still parked")).isVisible();
    assertThat(page.getByText("it continues without this page")).isVisible();
    tab.expectAccessible("a redrive of a group under way");

    service.answers("GET " + AT + "/groups", "[]");
    service.answers("GET " + AT + "/jobs", "[" + job("FINISHED", 1, 1) + "]");
    assertThat(page.locator("oc-parked-jobs .badge")).hasText("finished");
    assertThat(page.getByText("still cannot be handled; each says why")).isVisible();
    assertThat(tab.button("Redrive group")).hasCount(0);
  }

  @Test
  void aJobIsPausedAndStoppedWithAReason() {
    service.answers("GET " + AT + "/jobs", "[" + job("RUNNING", 1, 0) + "]");
    tab.open("parked");
    tab.button("Pause").click();
    reason("oc-parked-jobs").fill("look first");
    service.answers("POST %s/jobs/%s/pause".formatted(AT, JOB), job("PAUSED", 1, 0));
    service.answers("GET " + AT + "/jobs", "[" + job("PAUSED", 1, 0) + "]");
    tab.button("Pause redrive").click();
    assertThat(page.locator("oc-parked-jobs .badge")).hasText("paused");

    tab.button("Stop").click();
    reason("oc-parked-jobs").fill("no need");
    service.answers("POST %s/jobs/%s/stop".formatted(AT, JOB), job("STOPPED", 1, 0));
    service.answers("GET " + AT + "/jobs", "[" + job("STOPPED", 1, 0) + "]");
    tab.button("Stop redrive").click();
    assertThat(page.locator("oc-parked-jobs .badge")).hasText("stopped");
    assertThat(tab.button("Stop")).hasCount(0);
  }

  /** One of several, in dialogs that are closed. */
  private Locator reason(String where) {
    return page.locator(where).getByLabel("Reason, for the audit");
  }

  private static String job(String status, int handled, int failed) {
    boolean isEnd = status.equals("FINISHED") || status.equals("STOPPED");
    return """
    {"id": "%s", "action": "redrive", "group": "%s", "queue": "q", "type": "ArrangeShipment",
     "parkedFor": "handling-failed", "reason": "the gateway is back", "perSecond": 20,
     "status": "%s", "startedBy": "olga", "startedAt": "%s", "finishedAt": %s, "total": 2,
     "handled": %s, "failed": %s, "pending": %s, "failures": %s, "etaMs": null}
    """
        .formatted(
            JOB,
            PRINT,
            status,
            Instant.now(),
            isEnd ? "\"" + Instant.now() + "\"" : "null",
            handled,
            failed,
            2 - handled - failed,
            failed > 0 ? "{\"still-unhandled\": " + failed + "}" : "{}");
  }

  private static String parked(String id) {
    return """
    {"id": "%s", "queue": "q", "messageId": "m", "type": "ArrangeShipment",
     "correlationId": null, "reason": "handling-failed", "detail": "order 7 is away",
     "parkedAt": "2026-11-23T16:40:12Z", "attempts": 1, "redrives": 0, "editedBy": null,
     "editedAt": null}
    """
        .formatted(id);
  }
}
