package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 13: what operators do with parked replies; the saga is asked in our own database. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class RedriveTest {

  private final String customer = "customer-" + UUID.randomUUID();
  private final String key = UUID.randomUUID().toString();

  @Inject DataSource database;

  private String order;
  private String saga;

  @BeforeEach
  void placeAnOrder() {
    order =
        given()
            .auth()
            .oauth2(token(customer))
            .contentType(ContentType.JSON)
            .header("Idempotency-Key", key)
            .body(
                """
                {"currency": "EUR",
                 "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}],
                 "paymentMethod": "pm_card_visa",
                 "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
                   "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
                """)
            .post("/orders")
            .path("id");
    saga = sagaView("id");
  }

  @Test
  void deliversAReplyThatWasParkedOnce() throws Exception {
    redrive(park("PaymentProcessed", paymentProcessed(), saga))
        .statusCode(200)
        .body("outcome", equalTo("redriven"));
    redrive(park("PaymentProcessed", paymentProcessed(), saga)).statusCode(200);

    assertThat(this.<List<String>>sagaView("history.event"))
        .containsExactly("saga-started", "command-sent", "succeeded", "command-sent");
  }

  @Test
  void triesByItselfAgainWhatHasFailed() throws Exception {
    letItBeDue(park("PaymentProcessed", paymentProcessed(), saga));

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> this.<List<String>>sagaView("history.event").contains("succeeded"));
  }

  @Test
  void refusesAReplyToASagaThatHasEndedAndSaysWhy() throws Exception {
    redrive(park("PaymentDeclined", declined(), saga)).statusCode(200);
    List<String> history = sagaView("history.event");
    String late = park("PaymentProcessed", paymentProcessed(), saga);

    problem(redrive(late), 409, "saga-ended")
        .body("detail", containsString("COMPENSATED"))
        .body("detail", containsString("PAYMENT_DECLINED"));

    assertThat(this.<List<String>>sagaView("history.event")).isEqualTo(history);
    assertReason(late, "handling-failed");
  }

  /** Before: "saga-ended", and the charge of which the reply tells was never given back. */
  @Test
  void deliversALateSuccessToASagaThatHasEndedWithoutKnowingOfIt() throws Exception {
    asOperator()
        .contentType(ContentType.JSON)
        .body("{\"why\": \"told to\"}")
        .post("/sagas/" + saga + "/compensate")
        .then()
        .statusCode(200);
    redrive(park("PaymentRefunded", "{\"orderId\": \"%s\", \"amount\": 0}".formatted(order), saga))
        .statusCode(200);
    assertThat(this.<String>sagaView("status")).isEqualTo("COMPENSATED");

    redrive(park("PaymentProcessed", paymentProcessed(), saga)).statusCode(200);

    assertThat(this.<List<String>>sagaView("history.event"))
        .endsWith("saga-compensated", "late-success", "sent-again");
  }

  @Test
  void refusesAReplyToNoSaga() throws Exception {
    String other = UUID.randomUUID().toString();
    String id = park("PaymentProcessed", paymentProcessed(), other);

    problem(redrive(id), 409, "saga-ended").body("detail", containsString(other));

    assertReason(id, "handling-failed");
  }

  @Test
  void saysWhyAReplyStillCannotBeHandled() throws Exception {
    String malformed = park("PaymentProcessed", "no JSON", saga);
    problem(redrive(malformed), 409, "still-unhandled").body("detail", startsWith("malformed"));
    assertReason(malformed, "malformed");

    String homeless = park("PaymentProcessed", paymentProcessed(), null);
    problem(redrive(homeless), 409, "still-unhandled").body("detail", startsWith("malformed"));

    redrive(park("PaymentProcessed", paymentProcessed(), saga)).statusCode(200);
    String other = park("PaymentProcessed", paymentProcessed().replace("ch_1", "ch_2"), saga);
    problem(redrive(other), 409, "still-unhandled")
        .body("detail", startsWith("fingerprint-mismatch"));
    assertReason(other, "fingerprint-mismatch");
  }

  @Test
  void showsAndDeletesAReply() throws Exception {
    String path = "/parked-messages/" + park("PaymentProcessed", "no JSON", saga);
    asOperator()
        .get(path)
        .then()
        .statusCode(200)
        .body("payload", equalTo("no JSON"))
        .body("headers.x-idempotency-scope", equalTo(customer));

    asOperator().delete(path).then().statusCode(204);

    problem(asOperator().get(path).then(), 404, "not-found");
    problem(asOperator().delete(path).then(), 404, "not-found");
    problem(asOperator().post(path + "/redrive").then(), 404, "not-found");
  }

  @Test
  void obeysOperatorsOnly() throws Exception {
    String path = "/parked-messages/" + park("PaymentProcessed", paymentProcessed(), saga);

    problem(asCustomer().get(path).then(), 403, "forbidden");
    problem(asCustomer().delete(path).then(), 403, "forbidden");
    problem(asCustomer().post(path + "/redrive").then(), 403, "forbidden");

    asOperator().get(path).then().statusCode(200);
  }

  private String paymentProcessed() {
    return """
    {"orderId": "%s", "paymentId": "0199c3a4-6020-7d11-8c44-52a1b0c9d302", "amount": 2500,
     "currency": "EUR", "gatewayReference": "ch_1"}
    """
        .formatted(order);
  }

  private String declined() {
    return "{\"orderId\": \"%s\", \"reason\": \"CARD_DECLINED\"}".formatted(order);
  }

  /** As it is with a reply whose handling failed, for a bug that is mended since. */
  private String park(String type, String payload, @Nullable String correlationId)
      throws SQLException {
    UUID id = OutboxMessage.newId();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO parked_message
                       (id, queue, type, correlation_id, routing_key, headers, payload,
                        reason, detail)
                VALUES (?, 'order-service.replies', ?, ?, ?,
                        jsonb_build_object('x-idempotency-key', ?, 'x-idempotency-scope', ?,
                                           'x-saga-origin', ?, 'x-saga-step', ?,
                                           'x-outcome', ?),
                        ?, 'handling-failed', 'there was a bug')
                """)) {
      insert.setObject(1, id);
      insert.setString(2, type);
      insert.setString(3, correlationId);
      insert.setString(4, ReplyEnvelopes.routingKey(type));
      insert.setString(5, key);
      insert.setString(6, customer);
      insert.setString(7, ReplyEnvelopes.origin(type));
      insert.setString(8, ReplyEnvelopes.step(type));
      insert.setString(9, ReplyEnvelopes.outcome(type));
      insert.setBytes(10, payload.getBytes(StandardCharsets.UTF_8));
      insert.executeUpdate();
    }
    return id.toString();
  }

  /** As if handling it had failed just now. */
  private void letItBeDue(String id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE parked_message SET next_attempt_at = now() WHERE id = ?::uuid")) {
      update.setString(1, id);
      update.executeUpdate();
    }
  }

  private <T> T sagaView(String path) {
    return asCustomer().get("/orders/" + order + "/saga").path(path);
  }

  private static void assertReason(String id, String reason) {
    asOperator().get("/parked-messages/" + id).then().body("reason", equalTo(reason));
  }

  private static ValidatableResponse redrive(String id) {
    return asOperator().post("/parked-messages/" + id + "/redrive").then();
  }

  private static ValidatableResponse problem(
      ValidatableResponse response, int status, String type) {
    return response
        .statusCode(status)
        .contentType(startsWith("application/problem+json"))
        .body("type", equalTo("/problems/" + type));
  }

  private RequestSpecification asCustomer() {
    return given().auth().oauth2(token(customer));
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(token("olga", "operator"));
  }
}
