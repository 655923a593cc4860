package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ids and keys on a saga's page are copied by a button. */
@BrowserTest
@Tag("nightly")
class ConsoleCopyTest {

  private static final String SAGA = "0199c3a4-0000-7000-8000-000000000001";
  private static final String SUBJECT = "0199c3a4-0000-7000-8000-000000000002";
  private static final String AT = "GET /sagas/" + SAGA;

  private static final String STATE =
      """
      {"id": "%s", "definition": "place-order", "version": 1, "parent": null, "status": "COMPLETED",
       "reason": null, "startedAt": "2026-11-23T16:40:12Z", "nextActionAt": null,
       "deadlineAt": null, "endedAt": "2026-11-23T16:40:13Z", "quarantine": null, "hold": null,
       "steps": [], "history": []}
      """
          .formatted(SAGA);

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers(AT, STATE);
    service.answers(
        AT + "/details",
        """
        {"saga": %s, "subjectId": "%s", "customer": "alice", "rootKey": "order-4711",
         "attributes": {}, "hidden": false, "origin": "o", "traceId": null, "traceUrl": null,
         "waiting": null, "approvals": [], "actions": []}
        """
            .formatted(STATE, SUBJECT));
    service.answers(AT + "/messages", "[]");
    service.answers(
        AT + "/timeline", "{\"id\": \"%s\", \"steps\": [], \"services\": []}".formatted(SAGA));
    service.answers("GET /operator-audit", "{\"entries\": []}");
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /parked-messages", "[]");
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void eachGoesToTheClipboard() {
    page.addInitScript(
        """
        Object.defineProperty(navigator, "clipboard",
          {value: {writeText: async (text) => { window.copied = text; }}});
        """);
    tab.open("sagas/" + SAGA);
    copies("the saga's id", SAGA);
    copies("the subject's id", SUBJECT);
    copies("the idempotency key", "order-4711");
    tab.expectAccessible("a saga with its copy buttons");
  }

  /** As on a page without TLS, or where the user has forbidden it. */
  @Test
  void whereTheBrowserForbidsItTheTextIsSelected() {
    page.addInitScript("Object.defineProperty(navigator, 'clipboard', {value: undefined});");
    tab.open("sagas/" + SAGA);
    tab.button("Copy the idempotency key").click();
    assertThat(page.getByText("Selected: copy it by the keyboard")).isVisible();
    assertThat(page.evaluate("() => getSelection().toString()")).isEqualTo("order-4711");
  }

  private void copies(String what, String text) {
    tab.button("Copy " + what).click();
    page.waitForFunction("(text) => window.copied === text", text);
  }
}
