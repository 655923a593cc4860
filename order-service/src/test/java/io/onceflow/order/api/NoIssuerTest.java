package io.onceflow.order.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Without an issuer the service starts and is as if quarkus-oidc were not there: it knows bearer
 * tokens, and sends nobody elsewhere.
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class NoIssuerTest {

  @ParameterizedTest
  @ValueSource(strings = {"/orders", "/sagas", "/operator-audit"})
  void whoSendsNoTokenIsAnswered401(String path) {
    asABrowser().get(path).then().statusCode(401).contentType("application/problem+json");
  }

  @Test
  void aSessionsCookieMeansNothing() {
    asABrowser()
        .cookie("q_session", "a session of another time")
        .get("/sagas")
        .then()
        .statusCode(401)
        .contentType("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console/sign-in/oidc", "/console/sign-out"})
  void thereIsNoWayToAnIssuer(String path) {
    asABrowser().get(path).then().statusCode(404);
  }

  @Test
  void thePageOffersNoIssuer() {
    asABrowser()
        .get("/console/session")
        .then()
        .statusCode(200)
        .body("signedIn", equalTo(false))
        .body("signInUrl", nullValue());
  }

  /** Resources read the caller's name from an injected token, which quarkus-oidc offers as well. */
  @Test
  void aBearerTokenHasAName() {
    asABrowser()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/console/session")
        .then()
        .statusCode(200)
        .body("name", equalTo("olga"))
        .body("csrf", nullValue());
    asABrowser().auth().oauth2(token("alice")).get("/orders").then().statusCode(200);
  }

  @Test
  void theProblemOfForgedRequestsIsExplained() {
    asABrowser()
        .get("/problems/csrf-token-missing")
        .then()
        .statusCode(200)
        .body(containsString("X-CSRF-Token"));
  }

  private static RequestSpecification asABrowser() {
    return given().redirects().follow(false).header("Sec-Fetch-Site", "none");
  }
}
