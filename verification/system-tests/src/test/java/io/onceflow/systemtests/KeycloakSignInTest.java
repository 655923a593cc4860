package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.SameSiteAttribute;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Signing in to the console at a real Keycloak, in a browser. */
@BrowserTest
@EnabledIfEnvironmentVariable(
    named = KeycloakServer.HOME,
    matches = ".+",
    disabledReason = "Keycloak is 154 MB; with the Maven profile keycloak it is downloaded")
class KeycloakSignInTest {

  private static final Map<String, String> NO_HEADERS = Map.of();
  private static final String ACCOUNT = "Sign in with your account";

  private static ConsoleStack stackWithConsole;
  private static Stack stack;
  private static KeycloakServer keycloak;

  @BeforeAll
  static void start() {
    stackWithConsole = new ConsoleStack();
    stack = stackWithConsole.stack();
    keycloak = new KeycloakServer(stack.orders().url());
    stackWithConsole.restartOrders(keycloak.settings());
  }

  @AfterAll
  static void stop() {
    keycloak.close();
    stackWithConsole.close();
  }

  @Test
  void anOperatorSignsInAndActsAndTheAuditNamesThem() {
    String saga = sagaThatWaits();
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas/" + saga)) {
      Console console = tab.console();
      assertThat(console.page().getByText("operator").first()).isVisible();
      console.button("Retry").click();
      console.page().getByLabel("Reason, for the audit").fill("tried by a test");
      console.button("Retry it").click();
      assertThat(console.page().getByText("tried by a test").first()).isVisible();
      console.open("audit?saga=" + saga);
      assertThat(console.page().getByText("tried by a test").first()).isVisible();
    }
    assertThat(
            stack
                .ordersDatabase()
                .count(
                    "SELECT count(*) FROM operator_audit WHERE subject_id = ? AND actor = 'operator'",
                    saga))
        .isOne();
  }

  @Test
  void aViewerSeesWithoutPersonalDataAndMayNotAct() {
    String saga = sagaThatWaits();
    try (SignedInTab tab = SignedInTab.of(stack, "viewer", "sagas/" + saga)) {
      Console console = tab.console();
      assertThat(console.page().getByText("hidden").first()).isVisible();
      assertThat(console.button("Retry")).hasCount(0);
      assertThat(console.button("Compensate")).hasCount(0);
      APIResponse forged =
          tab.send("POST", "/sagas/" + saga + "/retry", Map.of("X-CSRF-Token", tab.csrf()));
      assertThat(forged.status()).isEqualTo(403);
      assertThat(forged.text()).doesNotContain("csrf");
    }
  }

  @Test
  void whoHasNoRoleGetsNothingAndIsTold() {
    try (SignedInTab tab = SignedInTab.of(stack, "nobody", "sagas")) {
      assertThat(tab.console().heading("Your account has no role here")).isVisible();
      tab.console().expectAccessible("a user without a role");
      for (String path : new String[] {"/sagas", "/sagas/overview", "/orders", "/operator-audit"}) {
        assertThat(tab.send("GET", path, NO_HEADERS).status()).as(path).isEqualTo(403);
      }
      Map<String, String> headers =
          Map.of("X-CSRF-Token", tab.csrf(), "Idempotency-Key", UUID.randomUUID().toString());
      assertThat(tab.send("POST", "/orders", headers).status()).isEqualTo(403);
    }
  }

  @Test
  void aLinkToAViewLeadsThroughTheSignInAndBack() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "audit?actor=olga&action=retry")) {
      assertThat(tab.console().heading("Audit")).isVisible();
      assertThat(tab.url()).endsWith("/console/audit?actor=olga&action=retry");
    }
  }

  @Test
  void theSessionsCookieIsOutOfReach() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas")) {
      assertThat(tab.sessionCookies())
          .isNotEmpty()
          .allSatisfy(
              cookie -> {
                assertThat(cookie.secure).isTrue();
                assertThat(cookie.httpOnly).isTrue();
                assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.LAX);
              });
      String all = String.join("", tab.sessionCookies().stream().map(it -> it.value).toList());
      assertThat(all.split("\\.", -1)).as("the parts of an encrypted token").hasSize(5);
      assertThat(tab.console().page().evaluate("document.cookie")).isEqualTo("");
    }
  }

  @Test
  void signingOutEndsTheIssuersSessionToo() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas")) {
      Page page = tab.console().page();
      tab.console().button("Sign out").click();
      assertThat(tab.console().link(ACCOUNT)).isVisible();
      assertThat(tab.url()).contains("/console/sign-in");
      assertThat(tab.sessionCookies()).isEmpty();
      tab.console().link(ACCOUNT).click();
      assertThat(page.locator("#password")).isVisible();
    }
  }

  @Test
  void aPageOfAnotherSiteCannotSignOut() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas")) {
      Map<String, String> crossSite = Map.of("Sec-Fetch-Site", "cross-site");
      assertThat(tab.send("GET", "/console/sign-out", crossSite).status()).isEqualTo(403);
      assertThat(tab.send("GET", "/sagas", NO_HEADERS).status()).isEqualTo(200);
    }
  }

  /** The list looks again by itself, and so notices. */
  @Test
  void aSessionThatIsGoneLeadsToTheSignInAndBack() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas?status=STUCK")) {
      tab.console().expectError("status of 401");
      tab.forgetCookies();
      assertThat(tab.console().link(ACCOUNT)).isVisible();
      tab.console().link(ACCOUNT).click();
      tab.logIn("operator");
      assertThat(tab.console().heading("Sagas")).isVisible();
      assertThat(tab.url()).endsWith("/console/sagas?status=STUCK");
    }
  }

  @Test
  void aCookieThatIsNoSessionIsRefusedWithoutARedirection() {
    given()
        .redirects()
        .follow(false)
        .cookie("q_session", "rubbish")
        .get(stack.orders().url() + "/sagas")
        .then()
        .statusCode(401)
        .contentType("application/problem+json");
  }

  @Test
  void theCookieAloneChangesNothing() {
    String retry = "/sagas/" + sagaThatWaits() + "/retry";
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas");
        SignedInTab other = SignedInTab.of(stack, "viewer", "sagas")) {
      expectNoToken(tab.send("POST", retry, NO_HEADERS));
      expectNoToken(tab.send("POST", retry, Map.of("X-CSRF-Token", "guessed")));
      expectNoToken(tab.send("POST", retry, Map.of("X-CSRF-Token", other.csrf())));
      expectNoToken(
          tab.send(
              "POST", retry, Map.of("X-CSRF-Token", tab.csrf(), "Sec-Fetch-Site", "cross-site")));
      assertThat(tab.send("POST", retry, Map.of("X-CSRF-Token", tab.csrf())).status())
          .isBetween(200, 299);
    }
  }

  private static void expectNoToken(APIResponse answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.headers().get("content-type")).startsWith("application/problem+json");
    assertThat(answer.text()).contains("/problems/csrf-token-missing");
  }

  @Test
  void aFormOfAnotherSiteChangesNothing() {
    String saga = sagaThatWaits();
    String retry = stack.orders().url() + "/sagas/" + saga + "/retry";
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas");
        ForeignPage page = new ForeignPage(retry)) {
      tab.console().expectError("status of 40[13]|favicon");
      Response answer =
          tab.console()
              .page()
              .waitForResponse(retry, () -> tab.console().page().navigate(page.url()));
      assertThat(answer.status()).isIn(401, 403);
    }
    assertThat(
            stack
                .ordersDatabase()
                .count("SELECT count(*) FROM operator_audit WHERE subject_id = ?", saga))
        .isZero();
  }

  @Test
  void theSignInLeadsToNoOtherSite() {
    try (SignedInTab tab = SignedInTab.of(stack, "operator", "sagas")) {
      for (String to :
          new String[] {
            "https://evil.example.com/console/",
            "//evil.example.com/console/",
            "/console//evil.example.com/../../..",
            "/\\evil.example.com",
            "/orders"
          }) {
        String address = "/console/sign-in/oidc?to=" + to.replace("\\", "%5C");
        assertThat(tab.send("GET", address, NO_HEADERS).status()).as(to).isEqualTo(400);
        assertThat(
                given().redirects().follow(false).get(stack.orders().url() + address).statusCode())
            .as("%s, not signed in", to)
            .isEqualTo(400);
      }
    }
  }

  @Test
  void onlyTheSignInLeadsToTheIssuer() {
    String url = stack.orders().url();
    given()
        .redirects()
        .follow(false)
        .get(url + "/sagas")
        .then()
        .statusCode(401)
        .contentType("application/problem+json");
    String issuers =
        given()
            .redirects()
            .follow(false)
            .get(url + "/console/sign-in/oidc?to=/console/sagas")
            .then()
            .statusCode(302)
            .extract()
            .header("Location");
    assertThat(issuers)
        .startsWith(keycloak.issuer())
        .containsPattern(Pattern.compile("code_challenge=.*"))
        .contains("nonce=");
  }

  @Test
  void bearerTokensOfTheIssuerAndOfTheLocalKeyAreBothGood() {
    assertThat(statusFor(keycloak.accessToken("viewer"))).isEqualTo(200);
    assertThat(statusFor(keycloak.accessToken("nobody"))).isEqualTo(403);
    assertThat(statusFor(stack.issuer().operator())).isEqualTo(200);
    assertThat(statusFor(stack.issuer().forged("olga"))).isEqualTo(401);
    assertThat(statusFor(stack.issuer().ofAnotherIssuer("olga"))).isEqualTo(401);
    assertThat(statusFor("rubbish")).isEqualTo(401);
  }

  private static int statusFor(String token) {
    return given()
        .redirects()
        .follow(false)
        .auth()
        .oauth2(token)
        .get(stack.orders().url() + "/sagas")
        .statusCode();
  }

  @Test
  void anIssuerThatRefusesIsExplained() {
    try (SignedInTab tab = SignedInTab.ofNobody(stack)) {
      tab.console().open("sign-in?error=access_denied&to=/console/audit");
      assertThat(tab.console().page().getByText("The issuer did not sign you in")).isVisible();
      tab.console().expectAccessible("a refused sign-in");
    }
  }

  /** Of an order whose payment gateway never answers. */
  private static String sagaThatWaits() {
    Order order = stack.newCustomer().places(OrderForm.GOOD.paidBy("pm_sim_down"));
    return order.saga().getString("id");
  }
}
