package io.onceflow.payment;

import static io.onceflow.launcher.testing.SagasStandIn.compensating;
import static io.onceflow.launcher.testing.SagasStandIn.step;
import static io.onceflow.launcher.testing.SagasStandIn.waiting;
import static io.onceflow.launcher.testing.TestTokens.token;
import static io.onceflow.payment.OrderServiceStandIn.SOON;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.launcher.testing.SagasStandIn;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 13: what operators do with parked commands, and how the saga is asked before. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
@QuarkusTestResource(SagasStandIn.class)
class RedriveTest {

  private static final String OPERATOR = token("olga", "operator");

  private final UUID order = OutboxMessage.newId();
  private final TestCommand command = TestCommand.processPayment(order, "pm_card_visa");

  @Inject DataSource database;

  /** Quarkus puts it there. */
  SagasStandIn sagas;

  private OrderServiceStandIn orders;

  @BeforeEach
  void connect() throws Exception {
    orders = OrderServiceStandIn.connect();
  }

  @AfterEach
  void close() {
    orders.close();
  }

  @Test
  void chargesOnceWhatWasParkedWhileTheSagaWaitsForIt() throws Exception {
    String id = parkThoughItIsGood(command);
    sagas.show(command.sagaId(), "RUNNING", "", waiting("process-payment"));

    redrive(id).statusCode(200).body("outcome", equalTo("redriven"));

    orders.awaitAnswers(1, command);
    ledger().body("kind", contains("CHARGE"));
    assertThat(sagas.authorizations()).contains("Bearer " + OPERATOR);
    problem(redrive(id), 404, "not-found");
  }

  @Test
  void triesByItselfAgainWhatHasFailed() throws Exception {
    letItBeDue(parkThoughItIsGood(command));

    orders.awaitAnswers(1, command);

    ledger().body("kind", contains("CHARGE"));
  }

  @Test
  void refundsWhatWasParkedWhileTheSagaIsUndoingThatStep() throws Exception {
    orders.ask(command);
    TestCommand refund = command.refund(order);
    String id = parkThoughItIsGood(refund);
    sagas.show(
        command.sagaId(),
        "COMPENSATING",
        "SHIPMENT_REJECTED",
        compensating("process-payment", "refund-payment"));

    redrive(id).statusCode(200);

    orders.awaitAnswers(2, command);
    ledger().body("kind", contains("CHARGE", "REFUND"));
  }

  @Test
  void refusesACommandOfASagaThatHasEndedAndSaysWhy() throws Exception {
    String id = parkThoughItIsGood(command);
    sagas.show(
        command.sagaId(),
        "COMPENSATED",
        "SHIPMENT_REJECTED",
        step("process-payment", "COMPENSATED", "null"));

    problem(redrive(id), 409, "saga-ended")
        .body("detail", containsString("COMPENSATED"))
        .body("detail", containsString("SHIPMENT_REJECTED"));

    assertNothingChanged(id);
  }

  @Test
  void refusesACommandThatItsSagaDoesNotWaitFor() throws Exception {
    String id = parkThoughItIsGood(command);
    sagas.show(
        command.sagaId(),
        "COMPENSATING",
        "PAYMENT_TIMED_OUT",
        compensating("process-payment", "refund-payment"));

    problem(redrive(id), 409, "saga-ended")
        .body("detail", containsString("process-payment"))
        .body("detail", containsString("COMPENSATING"));

    assertNothingChanged(id);
  }

  @Test
  void refusesACommandOfNoSaga() throws Exception {
    String id = parkThoughItIsGood(command);

    problem(redrive(id), 409, "saga-ended").body("detail", containsString(command.sagaId()));

    assertNothingChanged(id);
  }

  @Test
  void changesNothingWhenTheSagaCannotBeAsked() throws Exception {
    String id = parkThoughItIsGood(command);
    sagas.fail(command.sagaId(), 500);
    problem(redrive(id), 503, "saga-not-asked").body("detail", containsString("500"));

    sagas.fail(command.sagaId(), 200);
    problem(redrive(id), 503, "saga-not-asked").body("detail", containsString("no saga"));

    assertNothingChanged(id);
  }

  @Test
  void saysWhyAMessageStillCannotBeHandled() {
    TestCommand malformed = command.withPayload("no JSON");
    orders.send(malformed);
    String id = awaitParked(malformed);
    sagas.show(malformed.sagaId(), "RUNNING", "", waiting("process-payment"));

    problem(redrive(id), 409, "still-unhandled").body("detail", startsWith("malformed"));

    asOperator().get("/parked-messages/" + id).then().body("reason", equalTo("malformed"));
  }

  @Test
  void showsAMessageWithItsHeadersAndItsPayload() {
    TestCommand malformed = command.withPayload("no JSON");
    orders.send(malformed);
    String id = awaitParked(malformed);

    asOperator()
        .get("/parked-messages/" + id)
        .then()
        .statusCode(200)
        .body("payload", equalTo("no JSON"))
        .body("correlationId", equalTo(command.sagaId()))
        .body("headers.x-idempotency-key", equalTo(command.rootKey()))
        .body("headers.x-idempotency-scope", equalTo(command.scope()));
  }

  @Test
  void deletesAMessageForGood() throws Exception {
    String id = parkThoughItIsGood(command);

    asOperator().delete("/parked-messages/" + id).then().statusCode(204);

    problem(asOperator().delete("/parked-messages/" + id).then(), 404, "not-found");
    problem(asOperator().get("/parked-messages/" + id).then(), 404, "not-found");
    problem(redrive(id), 404, "not-found");
    ledger().body("$", hasSize(0));
  }

  @Test
  void showsThemWithoutTheirPaymentMethod() throws Exception {
    String shown = asOperator().get("/parked-messages/" + parkThoughItIsGood(command)).asString();
    assertThat(shown).contains(order.toString()).doesNotContain("pm_card_visa");
  }

  /** A failure may quote the message, and a saga's reason anything. */
  @Test
  void saysWhyItIsParkedWithoutThePaymentMethod() throws Exception {
    String id = parkThoughItIsGood(command);
    update("UPDATE parked_message SET detail = 'no pm_card_visa' WHERE id = ?::uuid", id);
    sagas.show(
        command.sagaId(),
        "COMPENSATED",
        "no pm_card_visa",
        step("process-payment", "COMPENSATED", "null"));

    String listed = asOperator().get("/parked-messages").asString();
    String refused = problem(redrive(id), 409, "saga-ended").extract().asString();

    assertThat(listed).contains(id, "no …").doesNotContain("pm_card_visa");
    assertThat(refused).contains("no …").doesNotContain("pm_card_visa");
  }

  @Test
  void listsThemPageByPage() throws Exception {
    String older = parkThoughItIsGood(command);
    String newer = parkThoughItIsGood(TestCommand.processPayment(order, "pm_card_visa"));
    List<String> page = asOperator().get("/parked-messages?limit=1&cursor=" + newer).path("id");

    assertThat(page).containsExactly(older);
    problem(asOperator().get("/parked-messages?cursor=42").then(), 400, "bad-request");
  }

  @Test
  void obeysOperatorsOnly() throws Exception {
    String path = "/parked-messages/" + parkThoughItIsGood(command);
    String alice = token("alice");

    problem(given().auth().oauth2(alice).get(path).then(), 403, "forbidden");
    problem(given().auth().oauth2(alice).delete(path).then(), 403, "forbidden");
    problem(given().auth().oauth2(alice).post(path + "/redrive").then(), 403, "forbidden");
    problem(given().post(path + "/redrive").then(), 401, "unauthorized");

    asOperator().get(path).then().statusCode(200);
  }

  private void assertNothingChanged(String id) {
    asOperator().get("/parked-messages/" + id).then().body("reason", equalTo("handling-failed"));
    ledger().body("$", hasSize(0));
  }

  /** As it is with a message whose handling failed for a bug that is mended since. */
  private String parkThoughItIsGood(TestCommand good) throws SQLException {
    UUID id = OutboxMessage.newId();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO parked_message
                       (id, queue, message_id, type, correlation_id, reply_to, headers, payload,
                        reason, detail)
                VALUES (?, 'payment-service.commands', ?, ?, ?, ?,
                        jsonb_build_object('x-idempotency-key', ?, 'x-idempotency-scope', ?),
                        ?, 'handling-failed', 'there was a bug')
                """)) {
      insert.setObject(1, id);
      insert.setString(2, good.messageId());
      insert.setString(3, good.type());
      insert.setString(4, good.sagaId());
      insert.setString(5, orders.replyTo);
      insert.setString(6, good.rootKey());
      insert.setString(7, good.scope());
      insert.setBytes(8, good.body());
      insert.executeUpdate();
    }
    return id.toString();
  }

  /** As if handling it had failed just now. */
  private void letItBeDue(String id) throws SQLException {
    update("UPDATE parked_message SET next_attempt_at = now() WHERE id = ?::uuid", id);
  }

  private void update(String sql, String id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, id);
      update.executeUpdate();
    }
  }

  private static String awaitParked(TestCommand sent) {
    String path = "findAll { it.messageId == '%s' }.id".formatted(sent.messageId());
    return await()
        .atMost(SOON)
        .until(
            () -> asOperator().get("/parked-messages").<List<String>>path(path),
            it -> !it.isEmpty())
        .getFirst();
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

  private ValidatableResponse ledger() {
    return asOperator().get("/simulated-gateway/ledger?orderId=" + order).then().statusCode(200);
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(OPERATOR);
  }
}
