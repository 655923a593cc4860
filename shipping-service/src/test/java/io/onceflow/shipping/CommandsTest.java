package io.onceflow.shipping;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipping service on a real broker and a real database, with the order service played. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class CommandsTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final UUID order = OutboxMessage.newId();
  private final String customer = "customer-" + UUID.randomUUID();
  private String rootKey = UUID.randomUUID().toString();

  @Inject BrokerConnection broker;

  private Channel channel;
  private String answers;

  @BeforeEach
  void listen() throws IOException {
    await().atMost(SOON).ignoreExceptions().until(this::commandsAreTaken);
    channel = broker.openChannel();
    channel.exchangeDeclare(OutboxMessage.REPLIES, "topic", true);
    answers = channel.queueDeclare().getQueue();
    channel.queueBind(answers, OutboxMessage.REPLIES, answers + ".shipping-service");
  }

  private boolean commandsAreTaken() throws IOException {
    Channel probe = broker.openChannel();
    try {
      return probe.queueDeclarePassive("shipping-service.commands").getConsumerCount() > 0;
    } finally {
      probe.abort();
    }
  }

  @AfterEach
  void hangUp() throws IOException {
    channel.abort();
  }

  @Test
  void carriesOutACommandAndAnswersIt() throws IOException {
    GetResponse answer = ask("ArrangeShipment", shipment("SW1Y 4JH"));

    assertThat(answer.getProps().getType()).isEqualTo("ShipmentArranged");
    assertThat(answer.getProps().getCorrelationId()).isEqualTo("saga-of-" + rootKey);
    String number = new JsonPath(body(answer)).getString("trackingNumber");
    shipments().body("status", contains("ARRANGED")).body("trackingNumber", contains(number));
    ledger()
        .body("kind", contains("BOOKING"))
        .body("idempotencyKey", contains(rootKey + ":arrange-shipment"))
        .body("amount", contains(0));
  }

  @Test
  void booksOnceHoweverOftenTheCommandComes() throws IOException {
    Set<String> bodies = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      bodies.add(body(ask("ArrangeShipment", shipment("SW1Y 4JH"))));
    }

    assertThat(bodies).hasSize(1);
    ledger().body("kind", contains("BOOKING"));
  }

  @ParameterizedTest
  @CsvSource({"SIM-LOST-ANSWER", "SIM-UNAVAILABLE-TWICE"})
  void booksOnceThoughTheCarrierHadToBeAskedAgain(String postalCode) throws IOException {
    GetResponse answer = ask("ArrangeShipment", shipment(postalCode));

    assertThat(answer.getProps().getType()).isEqualTo("ShipmentArranged");
    ledger().body("kind", contains("BOOKING"));
  }

  @Test
  void saysThatTheCountryIsNotServed() throws IOException {
    GetResponse answer = ask("ArrangeShipment", shipment("SW1Y 4JH").replace("\"GB\"", "\"AQ\""));

    assertThat(answer.getProps().getType()).isEqualTo("ShipmentRejected");
    assertThat(new JsonPath(body(answer)).getString("reason")).isEqualTo("COUNTRY_NOT_SERVED");
    shipments().body("status", contains("REJECTED"));
    ledger().body("$", hasSize(0));
  }

  @Test
  void takesABookingBackOnce() throws IOException {
    ask("ArrangeShipment", shipment("SW1Y 4JH"));

    ask("CancelShipment", cancellation());
    GetResponse answer = ask("CancelShipment", cancellation());

    assertThat(answer.getProps().getType()).isEqualTo("ShipmentCancelled");
    shipments().body("status", contains("CANCELLED"));
    ledger().body("kind", contains("BOOKING", "CANCELLATION"));
  }

  @Test
  void booksNothingOnceItWasCancelled() throws IOException {
    GetResponse cancelled = ask("CancelShipment", cancellation());
    GetResponse rejected = ask("ArrangeShipment", shipment("SW1Y 4JH"));

    assertThat(cancelled.getProps().getType()).isEqualTo("ShipmentCancelled");
    assertThat(rejected.getProps().getType()).isEqualTo("ShipmentRejected");
    assertThat(new JsonPath(body(rejected)).getString("reason")).isEqualTo("CANCELLED");
    ledger().body("$", hasSize(0));
  }

  @Test
  void fetchesAnOrderOncePerReturnAndShowsThatBesideItsShipment() throws IOException {
    UUID refused = OutboxMessage.newId();
    UUID taken = OutboxMessage.newId();
    ask("ArrangeShipment", shipment("SIM-NO-RETURNS"));

    GetResponse no = ask("ArrangeReturn", returned(refused, "SIM-NO-RETURNS"));
    rootKey = UUID.randomUUID().toString();
    GetResponse yes = ask("ArrangeReturn", returned(taken, "SW1Y 4JH"));

    assertThat(no.getProps().getType()).isEqualTo("ReturnRejected");
    assertThat(new JsonPath(body(no)).getString("reason")).isEqualTo("RETURNS_NOT_SERVED");
    assertThat(yes.getProps().getType()).isEqualTo("ReturnArranged");
    assertThat(new JsonPath(body(yes)).getString("returnId")).isEqualTo(taken.toString());
    shipments().body("status", contains("ARRANGED"));
    shipmentsBack()
        .body("returnId", contains(refused.toString(), taken.toString()))
        .body("status", contains("REJECTED", "ARRANGED"));
    ledger()
        .body("kind", contains("BOOKING", "BOOKING"))
        .body("[1].idempotencyKey", equalTo(rootKey + ":arrange-return"));
  }

  @Test
  void takesTheBookingOfAReturnBackAndLeavesTheShipmentAlone() throws IOException {
    UUID back = OutboxMessage.newId();
    ask("ArrangeShipment", shipment("SW1Y 4JH"));
    ask("ArrangeReturn", returned(back, "SW1Y 4JH"));

    GetResponse answer = ask("CancelReturn", returned(back, "SW1Y 4JH"));

    assertThat(answer.getProps().getType()).isEqualTo("ReturnCancelled");
    shipments().body("status", contains("ARRANGED"));
    shipmentsBack().body("status", contains("CANCELLED"));
    ledger()
        .body("kind", contains("BOOKING", "BOOKING", "CANCELLATION"))
        .body("[2].idempotencyKey", equalTo(rootKey + ":cancel-return"));
  }

  @Test
  void parksWhatItCannotHandleAndGoesOn() throws IOException {
    String malformed = send("ArrangeShipment", "{\"orderId\": \"%s\"}".formatted(order));
    String unknown = send("SendFlowers", shipment("SW1Y 4JH"));
    ask("ArrangeShipment", shipment("SW1Y 4JH"));
    String other = send("ArrangeShipment", shipment("EC1A 1BB"));

    awaitParked(malformed, "malformed");
    awaitParked(unknown, "unknown-type");
    awaitParked(other, "fingerprint-mismatch");
    ledger().body("kind", contains("BOOKING"));
  }

  @Test
  @Tag("nightly")
  void goesOnByItselfWhenTheBrokerIsBack() throws IOException {
    TestServers servers = TestServers.shared();
    servers.stopBroker();
    servers.startBroker();
    listen();

    assertThat(ask("ArrangeShipment", shipment("SW1Y 4JH")).getProps().getType())
        .isEqualTo("ShipmentArranged");
  }

  private String shipment(String postalCode) {
    return """
    {"orderId": "%s", "items": [{"sku": "BOOK-42", "quantity": 2}],
     "address": {"name": "Ada Lovelace", "line1": "12 St James's Square", "city": "London",
       "postalCode": "%s", "country": "GB"}}
    """
        .formatted(order, postalCode);
  }

  private String returned(UUID returnId, String postalCode) {
    return shipment(postalCode).replaceFirst("\\{", "{\"returnId\": \"%s\", ".formatted(returnId));
  }

  private String cancellation() {
    return "{\"orderId\": \"%s\"}".formatted(order);
  }

  /** Sends a command and returns its message-id. */
  private String send(String type, String payload) throws IOException {
    String messageId = UUID.randomUUID().toString();
    channel.basicPublish(
        OutboxMessage.COMMANDS,
        "shipping.test",
        new BasicProperties.Builder()
            .messageId(messageId)
            .type(type)
            .correlationId("saga-of-" + rootKey)
            .replyTo(answers)
            .headers(
                Map.of(
                    MessageHeaders.IDEMPOTENCY_KEY, rootKey,
                    MessageHeaders.IDEMPOTENCY_SCOPE, customer))
            .build(),
        payload.getBytes(StandardCharsets.UTF_8));
    return messageId;
  }

  private GetResponse ask(String type, String payload) throws IOException {
    send(type, payload);
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .atMost(SOON)
        .until(() -> channel.basicGet(answers, true), Objects::nonNull);
  }

  private static String body(GetResponse answer) {
    return new String(answer.getBody(), StandardCharsets.UTF_8);
  }

  private ValidatableResponse shipments() {
    return given().auth().oauth2(token(customer)).get("/shipments?orderId=" + order).then();
  }

  private ValidatableResponse shipmentsBack() {
    return given().auth().oauth2(token(customer)).get("/return-shipments?orderId=" + order).then();
  }

  private ValidatableResponse ledger() {
    return asOperator("/simulated-carrier/ledger?orderId=" + order);
  }

  private static void awaitParked(String messageId, String reason) {
    String reasons = "findAll { it.messageId == '%s' }.reason".formatted(messageId);
    await()
        .atMost(SOON)
        .untilAsserted(() -> asOperator("/parked-messages").body(reasons, hasItem(reason)));
  }

  private static ValidatableResponse asOperator(String path) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .get(path)
        .then()
        .statusCode(equalTo(200));
  }
}
