package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order service with the other services played by the test. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class ReplyConsumerTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final String customer = "customer-" + UUID.randomUUID();
  private final String key = UUID.randomUUID().toString();

  @Inject BrokerConnection broker;
  @Inject DataSource database;

  private Channel channel;
  private String order;
  private String saga;

  @BeforeEach
  void placeAnOrder() throws IOException {
    channel = broker.openChannel();
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

  @AfterEach
  void close() throws Exception {
    channel.close();
  }

  @Test
  void confirmsTheOrderOnceAllHaveAnswered() throws IOException {
    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
    send("ShipmentArranged", shipmentArranged());

    awaitOrder("CONFIRMED");
    assertThat(this.<String>sagaView("status")).isEqualTo("COMPLETED");
  }

  @Test
  void cancelsTheOrderWhosePaymentIsDeclined() throws IOException {
    send(
        "PaymentDeclined", "{\"orderId\": \"%s\", \"reason\": \"CARD_DECLINED\"}".formatted(order));

    awaitOrder("CANCELLED");
    assertThat(this.<String>sagaView("status")).isEqualTo("COMPENSATED");
  }

  @Test
  void recordsAReplyOnceHoweverOftenItComes() throws IOException, SQLException {
    String reply = paymentProcessed();
    for (int i = 0; i < 10; i++) {
      send("PaymentProcessed", reply);
    }
    awaitStep("arrange-shipment", "WAITING");
    send("ShipmentArranged", shipmentArranged());

    awaitOrder("CONFIRMED");
    assertThat(this.<List<String>>sagaView("history.event"))
        .containsExactly(
            "saga-started",
            "command-sent",
            "succeeded",
            "command-sent",
            "succeeded",
            "pivot-passed",
            "saga-completed");
    assertThat(count("SELECT count(*) FROM inbox_message WHERE scope = ?")).isZero();
  }

  /** Before: the first was recorded, and the answer was taken for a copy of it. */
  @Test
  void takesAnAnswerThatEqualsAReplyFromBeforeItsCommandWasSent() throws IOException {
    send("ShipmentArranged", shipmentArranged());
    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
    send("ShipmentArranged", shipmentArranged());

    awaitOrder("CONFIRMED");
  }

  /** Remembered by the step, the pending reply would keep the one that follows out. */
  @Test
  void waitsForAPaymentThatIsPendingAndTakesTheReplyThatFollows() throws IOException, SQLException {
    for (int i = 0; i < 3; i++) {
      sendPending();
    }
    awaitStep("process-payment", "AWAITING");
    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
    sendPending();
    send("ShipmentArranged", shipmentArranged());

    awaitOrder("CONFIRMED");
    assertThat(this.<List<String>>sagaView("history.event"))
        .containsExactly(
            "saga-started",
            "command-sent",
            "step-pending",
            "succeeded",
            "command-sent",
            "succeeded",
            "pivot-passed",
            "saga-completed");
    assertThat(
            count(
                "SELECT count(*) FROM parked_message WHERE headers ->> 'x-idempotency-scope' = ?"))
        .isZero();
  }

  private void sendPending() throws IOException {
    Map<String, String> headers =
        new HashMap<>(ReplyEnvelopes.headers("PaymentProcessed", customer, key));
    headers.put(MessageHeaders.OUTCOME, "pending");
    publish("order-service.payment-service", headers, "StepPending", "{}", saga);
  }

  @Test
  void parksAReplyWithAnotherPayloadUnderTheSameKey() throws IOException {
    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
    send("PaymentProcessed", paymentProcessed().replace("ch_1", "ch_2"));

    awaitParked("fingerprint-mismatch");
  }

  @Test
  void parksWhatItCannotReadAndGoesOn() throws IOException {
    send("PaymentProcessed", "no JSON");
    awaitParked("malformed");
    publish("PaymentForgotten", "{}", UUID.randomUUID().toString(), key);
    awaitParked("unknown-type");
    publish("PaymentProcessed", paymentProcessed(), saga, null);
    awaitParked("no-idempotency-key");

    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
  }

  /** What a user of the broker can do who may publish replies as shipping-service only. */
  @Test
  void believesNobodyButTheParticipantThatWasAsked() throws IOException {
    String forged =
        paymentProcessed()
            .replace(order, UUID.randomUUID().toString())
            .replace("2500", "1")
            .replace("EUR", "JPY");
    publish(
        "order-service.shipping-service",
        Map.of(
            MessageHeaders.IDEMPOTENCY_SCOPE,
            customer,
            MessageHeaders.IDEMPOTENCY_KEY,
            UUID.randomUUID().toString()),
        "PaymentProcessed",
        forged,
        saga);
    awaitParked("reply-mismatch");
    assertThat(this.<List<String>>sagaView("history.event"))
        .containsExactly("saga-started", "command-sent");

    send("PaymentProcessed", paymentProcessed());
    awaitStep("arrange-shipment", "WAITING");
  }

  @Test
  void parksAReplyToASagaThatIsNotThere() throws IOException {
    publish("PaymentProcessed", paymentProcessed(), UUID.randomUUID().toString(), key);

    awaitParked("unknown-saga");
  }

  private String paymentProcessed() {
    return """
    {"orderId": "%s", "paymentId": "0199c3a4-6020-7d11-8c44-52a1b0c9d302", "amount": 2500,
     "currency": "EUR", "gatewayReference": "ch_1"}
    """
        .formatted(order);
  }

  private String shipmentArranged() {
    return """
    {"orderId": "%s", "shipmentId": "0199c3a4-7030-7e22-9d55-63b2c1dae403",
     "trackingNumber": "SIM-1"}
    """
        .formatted(order);
  }

  private void send(String type, String payload) throws IOException {
    publish(type, payload, saga, key);
  }

  private void publish(String type, String payload, String correlationId, @Nullable String rootKey)
      throws IOException {
    publish(
        ReplyEnvelopes.routingKey(type),
        ReplyEnvelopes.headers(type, customer, rootKey),
        type,
        payload,
        correlationId);
  }

  private void publish(
      String routingKey,
      Map<String, String> headers,
      String type,
      String payload,
      String correlationId)
      throws IOException {
    channel.basicPublish(
        OutboxMessage.REPLIES,
        routingKey,
        new BasicProperties.Builder()
            .messageId(UUID.randomUUID().toString())
            .type(type)
            .correlationId(correlationId)
            .headers(Map.copyOf(headers))
            .build(),
        payload.getBytes(StandardCharsets.UTF_8));
  }

  private <T> T sagaView(String path) {
    return given().auth().oauth2(token(customer)).get("/orders/" + order + "/saga").path(path);
  }

  private void awaitStep(String step, String status) {
    await()
        .atMost(SOON)
        .until(
            () ->
                status.equals(
                    this.<String>sagaView(
                        "steps.find { it.name == '%s' }.status".formatted(step))));
  }

  private void awaitOrder(String status) {
    await()
        .atMost(SOON)
        .until(
            () ->
                status.equals(
                    given().auth().oauth2(token(customer)).get("/orders/" + order).path("status")));
  }

  private void awaitParked(String reason) {
    await()
        .atMost(SOON)
        .until(
            () ->
                count(
                        "SELECT count(*) FROM parked_message WHERE headers ->> 'x-idempotency-scope' = ? AND reason = '"
                            + reason
                            + "'")
                    == 1);
  }

  private long count(String ofCustomer) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(ofCustomer)) {
      count.setString(1, customer);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
