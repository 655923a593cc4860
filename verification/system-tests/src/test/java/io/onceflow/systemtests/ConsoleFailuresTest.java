package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sagas that do not move on by what they fail of, and the repair of a group. */
@BrowserTest
class ConsoleFailuresTest {

  private static final String PRINT = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final String SAGA = "0199c3a4-0000-7000-8000-000000000001";
  private static final String GROUP = "definition=place-order&failure=" + PRINT;

  private final Console tab = Console.ofScriptedService();
  private final Page page = tab.page();
  private final ScriptedService service = ScriptedService.of(tab);

  @BeforeEach
  void answer() {
    service.answers(
        "GET /sagas/failures",
        "{\"complete\": true, \"groups\": [%s, %s]}"
            .formatted(
                group(PRINT, "\"process-payment\"", "\"backward\"", "refused", 24),
                group(OTHER, "null", "null", "quarantined", 1)));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void eachGroupLeadsToItsSagasAndToOneOfThem() {
    tab.open("failures");
    assertThat(page.getByText("25 sagas in 2 groups")).isVisible();
    assertThat(page.locator("oc-table tbody tr").first()).containsText("undo process-payment");
    assertThat(page.locator("oc-table tbody tr").first()).containsText("CLOSED *");
    assertThat(tab.link("24")).hasAttribute("href", "/console/sagas?" + GROUP);
    assertThat(tab.link(SAGA.substring(24)).first()).hasAttribute("href", "/console/sagas/" + SAGA);
    tab.expectAccessible("failing steps");
    tab.prefer(ColorScheme.DARK);
    tab.expectAccessible("failing steps, in dark");
  }

  /** By the repair that there is: first a preview, then with a reason. */
  @Test
  void aGroupIsRetriedAsAWhole() {
    String[] asked = new String[1];
    service.answers(
        "POST /sagas/repairs",
        """
        {"count": 24, "exact": true, "allowed": 24, "refused": 0, "samples": [], "warnings": []}
        """);
    page.onRequest(
        request -> {
          if (request.method().equals("POST")) {
            asked[0] = request.postData();
          }
        });
    tab.open("failures");
    tab.link("Retry group").first().click();
    assertThat(page).hasURL(Pattern.compile("repairs\\?new=true&" + GROUP + "$"));
    page.getByLabel("Reason, for the audit").fill("the gateway is back");
    tab.button("Preview (dry run)").click();
    assertThat(page.getByText("24 sagas match; all 24 can be retried.")).isVisible();
    assertThat(asked[0]).contains("\"failure\":\"" + PRINT + "\"", "\"dryRun\":true");
    tab.expectAccessible("the repair of a group");
  }

  /** The filter form keeps what it was opened with. */
  @Test
  void aListOfAGroupOffersItsRepair() {
    service.answers("GET /sagas", "{\"sagas\": []}");
    service.answers("GET /sagas/count", "{\"count\": 0, \"exact\": true}");
    tab.open("sagas?" + GROUP);
    assertThat(tab.link("Repair all of these"))
        .hasAttribute("href", "/console/repairs?new=true&" + GROUP);
    assertThat(page.getByLabel("Group of failures")).hasValue(PRINT);
  }

  @Test
  void noneIsSaidToBeSo() {
    service.answers("GET /sagas/failures", "{\"complete\": true, \"groups\": []}");
    tab.open("failures");
    assertThat(page.getByText("No failing steps")).isVisible();
    assertThat(page.getByText("more open sagas than are read")).hasCount(0);
  }

  @Test
  void thatNotAllAreReadIsSaid() {
    service.answers(
        "GET /sagas/failures",
        "{\"complete\": false, \"groups\": [%s]}"
            .formatted(group(PRINT, "\"process-payment\"", "\"backward\"", "refused", 9999)));
    tab.open("failures");
    assertThat(page.getByText("more open sagas than are read")).isVisible();
  }

  private static String group(String print, String step, String direction, String kind, int count) {
    return """
    {"fingerprint": "%s", "definition": "place-order", "step": %s, "direction": %s, "kind": "%s",
     "error": "Refused: CLOSED *", "count": %s, "firstAt": "2026-11-23T16:40:12Z",
     "lastAt": "2026-11-23T16:41:12Z", "samples": ["%s"]}
    """
        .formatted(print, step, direction, kind, count, SAGA);
  }
}
