package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the console shows while its views are on their way, do not come, and once a session is over.
 */
@BrowserTest
class ConsoleShellTest {

  private static final String CODE_OF_SAGAS = "**/assets/sagas-*.js";

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers("GET /sagas", "{\"sagas\": []}");
    service.answers("GET /sagas/count", "{\"count\": 0, \"exact\": true}");
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
  }

  @AfterEach
  void close() {
    tab.close();
  }

  /** Before: "There is no such page" on a slow line. */
  @Test
  void aFirstViewThatIsOnItsWayIsSaidToBe() {
    Deque<Route> code = hold();
    tab.open("sagas");
    page.waitForCondition(() -> !code.isEmpty());
    assertThat(page.getByText("Loading Sagas …")).isVisible();
    assertThat(page.getByText("There is no such page")).hasCount(0);
    service.serve(code.remove());
    assertThat(tab.heading("Sagas")).isVisible();
    assertThat(page.getByText("Loading Sagas …")).hasCount(0);
  }

  /** Before: the view before stayed, and nothing said that another was on its way. */
  @Test
  void aChangeOfViewThatTakesTimeIsSeen() {
    tab.open("repairs");
    assertThat(tab.heading("Repairs")).isVisible();
    Deque<Route> code = hold();
    tab.link("Sagas").click();
    page.waitForCondition(() -> !code.isEmpty());
    assertThat(page.getByText("Loading Sagas …")).isVisible();
    service.serve(code.remove());
    assertThat(tab.heading("Sagas")).isVisible();
  }

  /**
   * Before: no way to try it again but to load the page, which ended at the browser's own error.
   */
  @Test
  void aViewThatCannotBeLoadedIsTriedAgain() {
    tab.open("repairs");
    assertThat(tab.heading("Repairs")).isVisible();
    page.route(CODE_OF_SAGAS, Route::abort);
    tab.expectError("ERR_FAILED");
    tab.link("Sagas").click();
    assertThat(page.getByText("This view cannot be loaded")).isVisible();
    page.unroute(CODE_OF_SAGAS);
    tab.button("Try again").click();
    assertThat(tab.heading("Sagas")).isVisible();
  }

  /**
   * Before: the page asked to sign in and did not say why, and the reason had to be typed again.
   */
  @Test
  void theEndOfASessionIsSaidAndKeepsWhatWasTyped() {
    service.refuses("POST /sagas/repairs", 401, "The token has expired");
    tab.expectError("status of 401");
    tab.open("repairs?new=true&status=STUCK");
    page.getByLabel("Reason, for the audit").fill("the gateway is back");
    tab.button("Preview (dry run)").click();
    assertThat(page.getByText("Your session has ended.")).isVisible();
    page.getByLabel("Access token").fill("another");
    tab.button("Sign in with a token").click();
    assertThat(page).hasURL(ScriptedService.URL + "/console/repairs?new=true&status=STUCK");
    assertThat(page.getByLabel("Reason, for the audit")).hasValue("the gateway is back");
  }

  /** Before: none; a list was filtered by one of several fields. */
  @Test
  void oneSearchOpensTheOnlySagaThatItFinds() {
    service.answers("GET /sagas/search", "[]");
    tab.open("repairs");
    page.getByPlaceholder("Find a saga").fill("0123456789ab");
    page.keyboard().press("Enter");
    assertThat(page.getByText("No saga has this id")).isVisible();
    assertThat(page).hasURL(ScriptedService.URL + "/console/search?q=0123456789ab");
    String saga = "0199c3a4-0000-7000-8000-0123456789ab";
    service.answers(
        "GET /sagas/search",
        """
        [{"foundBy": "saga", "id": "%s", "definition": "place-order", "version": 1,
          "subjectId": "%s", "status": "RUNNING", "startedAt": "2026-11-23T16:40:12Z"}]
        """
            .formatted(saga, saga));
    for (String of : List.of("", "/details", "/messages", "/timeline")) {
      service.refuses("GET /sagas/" + saga + of, 404, "Gone");
    }
    service.answers("GET /operator-audit", "{\"entries\": []}");
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /parked-messages", "[]");
    tab.expectError("status of 404");
    page.reload();
    assertThat(page).hasURL(ScriptedService.URL + "/console/sagas/" + saga);
  }

  /** On every view; the ones that say what needs attention read it themselves. */
  @Test
  void theNavigationHasTheNumbersOfWhatNeedsAttentionAndIsParked() {
    service.answers(
        "GET /sagas/services",
        "[" + ServiceJson.of("payment-service").replace("\"parked\": 0", "\"parked\": 7") + "]");
    tab.open("repairs");
    assertThat(tab.link("Needs attention")).hasText("Needs attention1 cause");
    assertThat(tab.link("Parked")).hasText("Parked7 messages");
    tab.expectAccessible("numbers in the navigation");

    service.answers("GET /sagas/services", "[]");
    tab.link("Overview").click();
    assertThat(page.locator("nav a[href='/console/parked']")).hasText("Parked");
  }

  /** Lets the code of the list of sagas wait. */
  private Deque<Route> hold() {
    Deque<Route> code = new ArrayDeque<>();
    page.route(CODE_OF_SAGAS, code::add);
    return code;
  }
}
