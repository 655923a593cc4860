package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.outbox.OutboxMessage;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** An order whose payment and shipping services are played by the test. */
record PlayedOrder(String id, String saga, String customer, String key) {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration OFTEN = Duration.ofMillis(20);

  private static final String ORDER =
      """
      {"currency": "EUR",
       "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}],
       "paymentMethod": "pm_card_visa",
       "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
         "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
      """;

  static PlayedOrder place(String customer) {
    return place(customer, UUID.randomUUID().toString());
  }

  static PlayedOrder place(String customer, String key) {
    String id =
        given()
            .auth()
            .oauth2(token(customer))
            .contentType(ContentType.JSON)
            .header("Idempotency-Key", key)
            .body(ORDER)
            .post("/orders")
            .path("id");
    String saga = given().auth().oauth2(token(customer)).get("/orders/" + id + "/saga").path("id");
    return new PlayedOrder(id, saga, customer, key);
  }

  Response cancel() {
    return cancel(customer, UUID.randomUUID().toString());
  }

  Response cancel(String by, String underKey) {
    return given()
        .auth()
        .oauth2(token(by))
        .header("Idempotency-Key", underKey)
        .post("/orders/" + id + "/cancellation");
  }

  void paymentProcessed(Channel channel) throws IOException {
    reply(
        channel,
        "PaymentProcessed",
        """
        {"orderId": "%s", "paymentId": "%s", "amount": 2500, "currency": "EUR",
         "gatewayReference": "ch_1"}
        """
            .formatted(id, UUID.randomUUID()));
  }

  void paymentRefunded(Channel channel) throws IOException {
    reply(channel, "PaymentRefunded", "{\"orderId\": \"%s\", \"amount\": 2500}".formatted(id));
  }

  void shipmentArranged(Channel channel) throws IOException {
    reply(
        channel,
        "ShipmentArranged",
        "{\"orderId\": \"%s\", \"shipmentId\": \"%s\", \"trackingNumber\": \"SIM-1\"}"
            .formatted(id, UUID.randomUUID()));
  }

  void shipmentRejected(Channel channel) throws IOException {
    reply(
        channel,
        "ShipmentRejected",
        "{\"orderId\": \"%s\", \"reason\": \"COUNTRY_NOT_SERVED\"}".formatted(id));
  }

  void shipmentCancelled(Channel channel) throws IOException {
    reply(channel, "ShipmentCancelled", "{\"orderId\": \"%s\"}".formatted(id));
  }

  private void reply(Channel channel, String type, String payload) throws IOException {
    channel.basicPublish(
        OutboxMessage.REPLIES,
        ReplyEnvelopes.routingKey(type),
        new BasicProperties.Builder()
            .messageId(UUID.randomUUID().toString())
            .type(type)
            .correlationId(saga)
            .headers(Map.copyOf(ReplyEnvelopes.headers(type, customer, key)))
            .build(),
        payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Something of the order, by its JSON path. */
  <T> T read(String path) {
    return given().auth().oauth2(token(customer)).get("/orders/" + id).path(path);
  }

  /** Something of its saga, by its JSON path. */
  <T> T saga(String path) {
    return given().auth().oauth2(token(customer)).get("/orders/" + id + "/saga").path(path);
  }

  void awaitStatus(String status) {
    await()
        .atMost(SOON)
        .pollDelay(OFTEN)
        .pollInterval(OFTEN)
        .until(() -> status.equals(this.<String>read("status")));
  }

  void awaitStep(String step, String status) {
    String path = "steps.find { it.name == '%s' }.status".formatted(step);
    await()
        .atMost(SOON)
        .pollDelay(OFTEN)
        .pollInterval(OFTEN)
        .until(() -> status.equals(this.<String>saga(path)));
  }
}
