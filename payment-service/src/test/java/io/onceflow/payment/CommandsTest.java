package io.onceflow.payment;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.onceflow.payment.OrderServiceStandIn.SOON;
import static io.onceflow.payment.OrderServiceStandIn.body;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The payment service on a real broker and a real database, with the order service played. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class CommandsTest {

  private final UUID order = OutboxMessage.newId();
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
  void carriesOutACommandAndAnswersIt() {
    TestCommand command = TestCommand.processPayment(order, "pm_card_visa");

    Delivery answer = orders.ask(command);

    BasicProperties properties = answer.getProperties();
    assertThat(answer.getEnvelope().getExchange()).isEqualTo("onceflow.replies");
    assertThat(answer.getEnvelope().getRoutingKey()).isEqualTo(orders.replyTo + ".payment-service");
    assertThat(properties.getType()).isEqualTo("PaymentProcessed");
    assertThat(properties.getCorrelationId()).isEqualTo(command.sagaId());
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(UUID.fromString(properties.getMessageId()).version()).isEqualTo(7);
    Map<String, Object> headers = new HashMap<>(properties.getHeaders());
    assertThat(headers.remove(MessageHeaders.OUTCOME)).hasToString("done");
    assertThat(headers)
        .allSatisfy(
            (header, value) ->
                assertThat(inWhole(header, value.toString()))
                    .isEqualTo(inWhole(header, String.valueOf(command.headers().get(header)))))
        .containsOnlyKeys(command.headers().keySet());
    JsonPath paid = new JsonPath(body(answer));
    payments(command)
        .body("$", hasSize(1))
        .body("[0].id", equalTo(paid.getString("paymentId")))
        .body("[0].orderId", equalTo(order.toString()))
        .body("[0].status", equalTo("PROCESSED"))
        .body("[0].amount", equalTo(2500))
        .body("[0].currency", equalTo("EUR"))
        .body("[0].gatewayReference", equalTo(paid.getString("gatewayReference")));
    ledger()
        .body("kind", contains("CHARGE"))
        .body("amount", contains(2500))
        .body("idempotencyKey", contains(command.rootKey() + ":process-payment"));
  }

  @Test
  void chargesOnceHoweverOftenTheCommandComes() {
    TestCommand command = TestCommand.processPayment(order, "pm_card_visa");
    for (int i = 0; i < 10; i++) {
      orders.send(command);
    }
    orders.awaitAnswers(1, command);
    for (int i = 0; i < 10; i++) {
      orders.ask(command);
    }

    assertThat(orders.answersTo(command).stream().map(OrderServiceStandIn::body).distinct())
        .hasSize(1);
    ledger().body("kind", contains("CHARGE"));
  }

  @Test
  void parksAnotherPayloadUnderTheSameKey() {
    TestCommand command = TestCommand.processPayment(order, "pm_card_visa");
    orders.ask(command);

    TestCommand other = command.withPayload(TestCommand.payload(order, 9900, "pm_card_visa"));
    orders.send(other);

    awaitParked(other, "fingerprint-mismatch");
    ledger().body("amount", contains(2500));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no JSON",
        "null",
        "{\"orderId\": \"?\", \"currency\": \"EUR\", \"paymentMethod\": \"pm_card_visa\"}",
        "{\"orderId\": \"?\", \"amount\": 0, \"currency\": \"EUR\", \"paymentMethod\": \"pm\"}",
        "{\"orderId\": \"?\", \"amount\": 25.5, \"currency\": \"EUR\", \"paymentMethod\": \"pm\"}",
        "{\"orderId\": \"?\", \"amount\": \"25\", \"currency\": \"EUR\", \"paymentMethod\": \"pm\"}"
      })
  void parksWhatItCannotReadAndGoesOn(String payload) {
    TestCommand malformed =
        TestCommand.processPayment(order, "pm_card_visa")
            .withPayload(payload.replace("?", order.toString()));
    orders.send(malformed);

    awaitParked(malformed, "malformed");
    orders.ask(TestCommand.processPayment(order, "pm_card_visa"));
  }

  @Test
  void parksWhatNobodyHandlesAndWhatNobodyOwns() {
    TestCommand command = TestCommand.processPayment(order, "pm_card_visa");
    TestCommand unknown = command.withType("SendFlowers");
    TestCommand keyless =
        TestCommand.processPayment(order, "pm_card_visa").without(MessageHeaders.IDEMPOTENCY_KEY);
    TestCommand ownerless =
        TestCommand.processPayment(order, "pm_card_visa").without(MessageHeaders.IDEMPOTENCY_SCOPE);
    TestCommand newer =
        TestCommand.processPayment(order, "pm_card_visa").with(MessageHeaders.MESSAGE_VERSION, "2");
    List.of(unknown, keyless, ownerless, newer).forEach(orders::send);

    awaitParked(unknown, "unknown-type");
    awaitParked(keyless, "no-idempotency-key");
    awaitParked(ownerless, "no-idempotency-key");
    awaitParked(newer, "unsupported-version");
    ledger().body("$", hasSize(0));
  }

  @ParameterizedTest
  @CsvSource({"pm_sim_lost_answer", "pm_sim_unavailable_twice"})
  void chargesOnceThoughTheGatewayHadToBeAskedAgain(String paymentMethod) {
    TestCommand command = TestCommand.processPayment(order, paymentMethod);

    Delivery answer = orders.ask(command);

    assertThat(answer.getProperties().getType()).isEqualTo("PaymentProcessed");
    ledger().body("kind", contains("CHARGE"));
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_chargeDeclined, CARD_DECLINED",
    "pm_card_chargeDeclinedInsufficientFunds, INSUFFICIENT_FUNDS",
    "pm_of_another_gateway, CARD_DECLINED"
  })
  void saysWhyItIsDeclined(String paymentMethod, String reason) {
    TestCommand command = TestCommand.processPayment(order, paymentMethod);

    Delivery answer = orders.ask(command);

    assertThat(answer.getProperties().getType()).isEqualTo("PaymentDeclined");
    assertThat(new JsonPath(body(answer)).getString("reason")).isEqualTo(reason);
    payments(command).body("status", contains("DECLINED"));
    ledger().body("$", hasSize(0));
  }

  @Test
  void chargesNothingOnceItWasRefunded() {
    TestCommand late = TestCommand.processPayment(order, "pm_card_visa");

    Delivery refunded = orders.ask(late.refund(order));
    Delivery declined = orders.ask(late);

    assertThat(refunded.getProperties().getType()).isEqualTo("PaymentRefunded");
    assertThat(new JsonPath(body(refunded)).getLong("amount")).isZero();
    assertThat(declined.getProperties().getType()).isEqualTo("PaymentDeclined");
    assertThat(new JsonPath(body(declined)).getString("reason")).isEqualTo("CANCELLED");
    ledger().body("$", hasSize(0));
  }

  @Test
  void givesAChargeBackOnceWhoeverAsksForIt() {
    TestCommand first = TestCommand.processPayment(order, "pm_card_visa");
    TestCommand second = TestCommand.processPayment(order, "pm_card_visa");
    String paid = body(orders.ask(first));
    assertThat(body(orders.ask(second))).as("the order is paid already").isEqualTo(paid);

    orders.send(first.refund(order));
    orders.send(second.refund(order));
    orders.send(first.refund(order));
    orders.awaitAnswers(2, first);
    orders.awaitAnswers(2, second);

    ledger().body("kind", contains("CHARGE", "REFUND")).body("amount", contains(2500, 2500));
    payments(first).body("status", contains("REFUNDED"));
  }

  @Test
  void chargesTwoUsersWhoChoseTheSameKey() {
    UUID otherOrder = OutboxMessage.newId();
    TestCommand one = TestCommand.processPayment(order, "pm_card_visa");
    TestCommand other =
        TestCommand.processPayment(otherOrder, "pm_card_visa")
            .with(MessageHeaders.IDEMPOTENCY_KEY, one.rootKey());

    orders.ask(one);
    orders.ask(other);

    ledger().body("kind", contains("CHARGE"));
    ledger(otherOrder).body("kind", contains("CHARGE"));
  }

  private ValidatableResponse ledger() {
    return ledger(order);
  }

  private static ValidatableResponse ledger(UUID order) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/simulated-gateway/ledger?orderId=" + order)
        .then()
        .statusCode(200);
  }

  private ValidatableResponse payments(TestCommand command) {
    return given()
        .auth()
        .oauth2(token(command.scope()))
        .get("/payments?orderId=" + order)
        .then()
        .statusCode(200);
  }

  private static void awaitParked(TestCommand command, String reason) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(parkedFor(command)).containsExactly(reason));
  }

  private static List<String> parkedFor(TestCommand command) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get("/parked-messages")
        .path("findAll { it.messageId == '%s' }.reason".formatted(command.messageId()));
  }

  /** The trace is the same one; each hop is a span of its own in it. */
  private static String inWhole(String header, String value) {
    return header.equals("traceparent") ? value.substring(0, "00-".length() + 32) : value;
  }
}
