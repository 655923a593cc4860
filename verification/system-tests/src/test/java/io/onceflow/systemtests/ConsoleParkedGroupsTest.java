package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Parked messages by their causes, and the redrive of a group. */
@BrowserTest
@Tag("nightly")
class ConsoleParkedGroupsTest {

  private static final String AT = "/parked-messages";
  private static final String PRINT = "0123456789abcdef0123456789abcdef";
  private static final String FIRST = "0199c3a4-0000-7000-8000-000000000001";
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
  void aGroupIsRedrivenAsEachOfItsMessagesIs() {
    service.answers("POST " + AT + "/" + SECOND + "/redrive", "{\"outcome\": \"redriven\"}");
    service.refuses("POST " + AT + "/" + FIRST + "/redrive", 409, "The saga has ended");
    tab.expectError("status of 409");
    tab.open("parked");
    tab.button("Redrive group").click();
    assertThat(page.getByText("would be redriven")).isVisible();
    tab.expectAccessible("a redrive that is asked for");
    tab.button("Redrive 2 messages").click();
    assertThat(page.getByText("1 of 2 messages handled, 1 still parked")).isVisible();
    assertThat(page.locator("oc-parked-causes .badge")).hasText("finished");
    assertThat(page.getByText("The saga has ended")).isVisible();
  }

  @Test
  void aRedriveOfAGroupIsPausedAndStopped() {
    ScriptedService.Held redrives = service.holds("POST " + AT + "/" + SECOND + "/redrive");
    tab.open("parked");
    tab.button("Redrive group").click();
    tab.button("Redrive 2 messages").click();
    redrives.await();
    tab.button("Pause").click();
    redrives.answer("{}");
    assertThat(page.getByText("1 of 2 messages handled, 0 still parked")).isVisible();
    assertThat(page.locator("oc-parked-causes .badge")).hasText("paused");
    tab.button("Stop").click();
    assertThat(page.locator("oc-parked-causes .badge")).hasText("stopped");
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
