package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that cannot be handled: each is parked with its reason, and the consumer goes on. */
@SystemTest
class BadMessagesTest {

  private static final Duration SOON = Duration.ofMinutes(1);

  private static final String PARKED =
      "SELECT reason || ' from ' || queue FROM parked_message WHERE message_id = ?";

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private Broker broker;

  @BeforeEach
  void connect() {
    broker = stack.broker();
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  /**
   * A queue, and what belongs into it.
   *
   * @param type of the messages that it gets for every order
   * @param database where its consumer parks
   */
  record Queue(String name, String exchange, String routingKey, String type, Database database) {

    /** Why another payload under a used key is parked; a reply must fit its saga first. */
    String otherPayload() {
      return exchange.equals(Message.REPLIES) ? "reply-mismatch" : "fingerprint-mismatch";
    }

    Message message() {
      return Message.of(exchange, routingKey, type, "{}");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Queue> queues() {
    Stack stack = Stack.get();
    return Stream.of(
        new Queue(
            "payment-service.commands",
            Message.COMMANDS,
            "payment.process",
            "ProcessPayment",
            stack.paymentsDatabase()),
        new Queue(
            "shipping-service.commands",
            Message.COMMANDS,
            "shipping.arrange",
            "ArrangeShipment",
            stack.shippingDatabase()),
        new Queue(
            "order-service.replies",
            Message.REPLIES,
            "order-service.payment-service",
            "PaymentProcessed",
            stack.ordersDatabase()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queues")
  void whatCannotBeReadIsParkedWithItsReasonAndTheQueueGoesOn(Queue queue) {
    Map<Message, String> reasons = new LinkedHashMap<>();
    reasons.put(queue.message().withPayload("no JSON"), "malformed");
    reasons.put(queue.message().withPayload(""), "malformed");
    reasons.put(queue.message().withPayload("[]"), "malformed");
    reasons.put(queue.message().withPayload("{\"orderId\": 42}"), "malformed");
    reasons.put(queue.message().withoutKey(), "no-idempotency-key");
    reasons.put(queue.message().withKey("k".repeat(300)), "no-idempotency-key");
    reasons.put(queue.message().withoutScope(), "no-idempotency-key");
    reasons.put(queue.message().withType("DoWhatYouLike"), "unknown-type");
    reasons.put(queue.message().withoutType(), "unknown-type");
    reasons.put(queue.message().withVersion("2"), "unsupported-version");

    reasons.keySet().forEach(broker::publish);

    reasons.forEach((message, reason) -> awaitParked(queue, message, reason));
    customer
        .places(OrderForm.GOOD)
        .awaitConfirmed()
        .expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queues")
  void anotherPayloadUnderAUsedKeyIsParkedAndTheFirstStands(Queue queue) {
    Tap tap = broker.tap(queue.exchange(), queue.routingKey());
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();
    String before = order.sagaText();
    Message used = usedFor(queue, tap);
    Message other =
        used.withId(UUID.randomUUID().toString())
            .withPayload(used.payload().replace(order.id(), UUID.randomUUID().toString()));

    broker.publish(other);

    awaitParked(queue, other, queue.otherPayload());
    assertThat(order.sagaText()).isEqualTo(before);
    order.expectPaidAndShippedOnce(OrderForm.GOOD.amount());
    customer.places(OrderForm.GOOD).awaitConfirmed();
  }

  private Message usedFor(Queue queue, Tap tap) {
    return await("the tap has seen " + queue.type())
        .atMost(SOON)
        .until(
            () ->
                tap.seenOf(customer).stream()
                    .filter(message -> message.type().equals(queue.type()))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static void awaitParked(Queue queue, Message message, String reason) {
    await("%s is parked as %s".formatted(message.payload(), reason))
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(queue.database().texts(PARKED, message.id()))
                    .isEqualTo(List.of("%s from %s".formatted(reason, queue.name()))));
  }
}
