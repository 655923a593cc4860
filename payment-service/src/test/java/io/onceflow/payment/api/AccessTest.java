package io.onceflow.payment.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may see what, and how he is told that he may not. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class AccessTest {

  private static final String LEDGER = "/simulated-gateway/ledger?orderId=" + UUID.randomUUID();

  @Inject DataSource database;

  @TestHTTPResource(value = "/health/ready", management = true)
  URI ready;

  @TestHTTPResource(value = "/metrics", management = true)
  URI metrics;

  @ParameterizedTest
  @ValueSource(strings = {"/payments", "/parked-messages", "/simulated-gateway/ledger"})
  void asksForAToken(String path) {
    problem(given().get(path), 401, "/problems/unauthorized");
    problem(given().auth().oauth2("no.token.atall").get(path), 401, "/problems/unauthorized");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/parked-messages", "/simulated-gateway/ledger"})
  void showsOperatorsPagesToOperatorsOnly(String path) {
    problem(as("alice").get(path), 403, "/problems/forbidden");
  }

  @Test
  void showsAPaymentToItsOwnerAndToOperators() throws SQLException {
    UUID order = declinedPaymentOf("alice");

    as("alice").get("/payments?orderId=" + order).then().statusCode(200).body("$", hasSize(1));
    as("bob").get("/payments?orderId=" + order).then().statusCode(200).body("$", hasSize(0));
    as("olga", "operator")
        .get("/payments?orderId=" + order)
        .then()
        .statusCode(200)
        .body("[0].status", equalTo("DECLINED"))
        .body("[0].gatewayReference", equalTo(null));
  }

  /** Nothing is guarded here by a key of the caller's, and there is no table for such keys. */
  @Test
  void knowsNoKeysOfCallers() {
    problem(as("alice").get("/idempotency-keys/42"), 404, "/problems/idempotency-key-unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/payments", "/payments?orderId=", "/payments?orderId=42"})
  void asksWhichOrder(String path) {
    problem(as("alice").get(path), 400, "/problems/bad-request")
        .then()
        .body("violations[0].field", equalTo("orderId"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/parked-messages?limit=0", "/parked-messages?limit=501"})
  void boundsAPage(String path) {
    problem(as("olga", "operator").get(path), 400, "/problems/bad-request");
  }

  @Test
  void tellsWhatThereIsNot() {
    problem(as("alice").get("/nothing"), 404, "/problems/not-found");
    problem(as("alice").delete("/payments"), 405, "/problems/method-not-allowed");
  }

  @Test
  void showsOperatorsAnEmptyLedgerOfAnUnknownOrder() {
    as("olga", "operator").get(LEDGER).then().statusCode(200).body("$", hasSize(0));
  }

  @Test
  void tellsMonitorsAndReadersOfTheApiWithoutAToken() {
    given().get(ready).then().statusCode(200).body("status", equalTo("UP"));
    given().get(metrics).then().statusCode(200);
    given().accept("application/json").get("/openapi").then().statusCode(200);
  }

  private static RequestSpecification as(String user, String... roles) {
    return given().auth().oauth2(token(user, roles));
  }

  private static Response problem(Response response, int status, String type) {
    response
        .then()
        .statusCode(status)
        .contentType(startsWith("application/problem+json"))
        .body("status", equalTo(status))
        .body("type", equalTo(type));
    return response;
  }

  private UUID declinedPaymentOf(String scope) throws SQLException {
    UUID order = OutboxMessage.newId();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO payment
                       (id, order_id, scope, step_key, status, amount, currency, decline_reason,
                        processed_at)
                VALUES (?, ?, ?, 'root:process-payment', 'DECLINED', 2500, 'EUR', 'CARD_DECLINED',
                        now())
                """)) {
      insert.setObject(1, OutboxMessage.newId());
      insert.setObject(2, order);
      insert.setString(3, scope);
      insert.executeUpdate();
    }
    return order;
  }
}
