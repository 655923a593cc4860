package io.onceflow.payment;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.onceflow.payment.OrderServiceStandIn.SOON;
import static io.onceflow.payment.OrderServiceStandIn.body;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;

import com.rabbitmq.client.Delivery;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders that went through are given back; the order service is played. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class ReturnsTest {

  private final UUID order = OutboxMessage.newId();
  private final TestCommand charge = TestCommand.processPayment(order, "pm_card_visa");
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
  void givesTheMoneyBackAndSaysHowMuch() {
    orders.ask(charge);

    Delivery answer = orders.ask(charge.giveBack(order));

    assertThat(answer.getProperties().getType()).isEqualTo("PaymentReturned");
    assertThat(new JsonPath(body(answer)).getLong("amount")).isEqualTo(2500);
    ledger()
        .body("kind", contains("CHARGE", "REFUND"))
        .body("amount", contains(2500, 2500))
        .body(
            "idempotencyKey",
            contains(charge.rootKey() + ":process-payment", charge.rootKey() + ":refund-payment"));
    given()
        .auth()
        .oauth2(token(charge.scope()))
        .get("/payments?orderId=" + order)
        .then()
        .body("status", contains("REFUNDED"));
  }

  @Test
  void givesTheMoneyBackOnceWhenARefundIsAskedForAtTheSameTime() {
    orders.ask(charge);
    TestCommand giveBack = charge.giveBack(order);
    TestCommand refund = charge.refund(order);

    orders.send(giveBack);
    orders.send(refund);
    orders.send(giveBack);

    assertThat(body(orders.awaitAnswers(1, giveBack).getFirst())).contains("2500");
    orders.awaitAnswers(2, refund);
    ledger().body("kind", contains("CHARGE", "REFUND"));
  }

  @Test
  void keepsAsideWhatWasNeverCharged() {
    TestCommand giveBack = charge.giveBack(order);

    orders.send(giveBack);

    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(parkedFor(giveBack)).containsExactly("handling-failed"));
    assertThat(orders.answersTo(giveBack)).isEmpty();
  }

  /** What the charge is stored under names its refund, not the return's own origin. */
  @Test
  void givesBackUnderTheIdentityOfTheCharge() {
    TestCommand placed = charge.from("order-service/place-order");
    orders.ask(placed);

    orders.ask(placed.giveBack(order).from("order-service/return-order"));
    orders.ask(placed.refund(order));

    ledger()
        .body("kind", contains("CHARGE", "REFUND"))
        .body(
            "idempotencyKey",
            contains(
                charge.rootKey() + ":process-payment@order-service/place-order",
                charge.rootKey() + ":refund-payment@order-service/place-order"));
  }

  /** Of a sender that names no origin. */
  @Test
  void aChargeWithoutAnOriginIsAnsweredReturnedAndRefundedUnderKeysWithoutOne() {
    orders.ask(charge);
    orders.ask(charge);

    orders.ask(charge.giveBack(order).from("order-service/return-order"));
    orders.ask(charge.refund(order));

    ledger()
        .body("kind", contains("CHARGE", "REFUND"))
        .body(
            "idempotencyKey",
            contains(charge.rootKey() + ":process-payment", charge.rootKey() + ":refund-payment"));
  }

  /** Same customer, same client key, and even the same order id. */
  @Test
  void anotherOrchestratorsSagaIsUnrelated() {
    TestCommand ours = charge.from("order-service/place-order");
    TestCommand theirs =
        ours.from("shop/sell").withPayload(TestCommand.payload(order, 9900, "pm_card_visa"));
    orders.ask(ours);

    assertThat(orders.ask(theirs).getProperties().getType()).isEqualTo("PaymentProcessed");
    Delivery refunded = orders.ask(theirs.refund(order));

    assertThat(new JsonPath(body(refunded)).getLong("amount")).isEqualTo(9900);
    ledger()
        .body("kind", contains("CHARGE", "CHARGE", "REFUND"))
        .body("amount", contains(2500, 9900, 9900));
    assertThat(parkedFor(theirs)).isEmpty();
  }

  @Test
  void aCompensationOfAnotherOrchestratorsSagaUndoesNothing() {
    TestCommand ours = charge.from("order-service/place-order");
    orders.ask(ours);

    Delivery nothing = orders.ask(ours.from("shop/sell").refund(order));

    assertThat(new JsonPath(body(nothing)).getLong("amount")).isZero();
    ledger().body("kind", contains("CHARGE"));
  }

  /** Two steps with one command: each charges, and each compensation undoes its own. */
  @Test
  void twoStepsOfASagaMayChargeOneOrder() {
    TestCommand saga = charge.from("shop/sell");
    TestCommand deposit = saga.with("x-saga-step", "charge-deposit");
    TestCommand rest =
        saga.withPayload(TestCommand.payload(order, 9900, "pm_card_visa"))
            .with("x-saga-step", "charge-rest");
    orders.ask(deposit);
    orders.ask(rest);

    TestCommand undoRest =
        saga.refund(order).with("x-saga-step", "refund-rest").with("x-saga-undoes", "charge-rest");
    orders.ask(undoRest);

    ledger()
        .body("kind", contains("CHARGE", "CHARGE", "REFUND"))
        .body("amount", contains(2500, 9900, 9900));
  }

  private ValidatableResponse ledger() {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/simulated-gateway/ledger?orderId=" + order)
        .then()
        .statusCode(200);
  }

  private static List<String> parkedFor(TestCommand command) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/parked-messages")
        .path("findAll { it.messageId == '%s' }.reason".formatted(command.messageId()));
  }
}
