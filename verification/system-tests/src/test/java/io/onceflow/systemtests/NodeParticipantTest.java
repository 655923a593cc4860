package io.onceflow.systemtests;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code examples/node-participant} in the place of shipping-service: the stories of an order, and
 * the races of the race kit from outside, where a broker and real processes take part. Its books
 * have no constraint that would hide a second effect.
 */
@SystemTest
@Tag("nightly")
class NodeParticipantTest {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int MANY = 40;
  private static final String QUEUE = "shipping-service.commands";

  /** By which shipping-service's queue is bound for packs. */
  private static final String IN_PACKS = "bundle.shipping.#";

  private static final String BOOKS =
      "SELECT kind FROM shipment_entry WHERE order_id = ?::uuid ORDER BY id";
  private static final String BOOKED =
      "SELECT order_id FROM shipment_entry WHERE order_id = ANY (?::uuid[]) AND kind = 'BOOKING'";
  private static final String PARKED = "SELECT reason FROM parked_message WHERE message_id = ?";

  private static Stack stack;
  private static NodeParticipant one;
  private static NodeParticipant another;

  private final String replyTo = "system-tests." + UUID.randomUUID();
  private final UUID order = UUID.randomUUID();
  private Broker broker;
  private Tap answers;

  @BeforeAll
  static void takeThePlaceOfTheShippingService() {
    assumeFalse(Project.isOnKafka(), "the participant in Node speaks AMQP");
    NodeParticipant.install();
    stack = Stack.get();
    stack.shipping().stop();
    onBroker(it -> it.unbind(QUEUE, Message.COMMANDS, IN_PACKS));
    one = stack.nodeParticipant("node-1");
    another = stack.nodeParticipant("node-2");
  }

  @AfterAll
  static void giveItBack() {
    if (stack != null) {
      one.kill();
      another.kill();
      onBroker(it -> it.bind(QUEUE, Message.COMMANDS, IN_PACKS));
      stack.heal();
    }
  }

  private static void onBroker(Consumer<Broker> change) {
    try (Broker administrator = stack.broker()) {
      change.accept(administrator);
    }
  }

  @BeforeEach
  void listen() {
    one.start();
    another.start();
    broker = stack.broker();
    answers = broker.tap(Message.REPLIES, replyTo + ".#");
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  @Test
  void itsOwnTestsPass() {
    NodeParticipant.run("npm", "test");
  }

  @Test
  void ordersArePlacedRefusedAndGivenBack() {
    Customer customer = stack.newCustomer();
    Order good = customer.places(OrderForm.GOOD);
    Order refused = customer.places(OrderForm.GOOD.shippedToCountry("AQ"));

    good.awaitConfirmed();
    refused.awaitCancelled();
    assertThat(customer.givesBack(good, Customer.newKey()).statusCode()).isEqualTo(202);
    good.awaitReturn("COMPLETED");

    assertThat(books(good.id())).containsExactly("BOOKING", "BOOKING");
    assertThat(good.gatewayLedger())
        .extracting(LedgerEntry::kind)
        .containsExactly("CHARGE", "REFUND");
    assertThat(books(refused.id())).isEmpty();
    assertThat(refused.gatewayLedger())
        .extracting(LedgerEntry::kind)
        .containsExactly("CHARGE", "REFUND");
  }

  @Test
  void duplicatesAtTheSameMomentTakeEffectOnceAndAreAnsweredTheSame() {
    Message command = arrange(order);

    broker.publishAgain(MANY, Stream.of(command, withAnotherId(command)).toList());

    awaitAnswers(2 * MANY);
    assertThat(books(order)).containsExactly("BOOKING");
    assertThat(answers.seen()).extracting(Message::payload).containsOnly(answer().payload());
    assertThat(answer().routingKey()).isEqualTo(replyTo + ".shipping-service");
    assertThat(answer().correlationId()).isEqualTo(command.correlationId());
    assertThat(answer().properties().getHeaders().get("x-outcome")).hasToString("done");
  }

  @Test
  void aCompensationThatComesFirstCancelsItsAction() {
    Message undo = cancel(order);
    Message action = HandMade.SHIPMENT.actionAfter(undo, order);

    tell(undo, 1);
    tell(action, 2);
    tell(withAnotherId(action), 3);
    tell(withAnotherId(undo), 4);

    assertThat(words())
        .containsExactly(
            "ShipmentCancelled",
            "ShipmentRejected reason CANCELLED",
            "ShipmentRejected reason CANCELLED",
            "ShipmentCancelled");
    assertThat(books(order)).isEmpty();
  }

  @Test
  void anActionAndItsCompensationAtTheSameMomentLeaveNothing() {
    List<UUID> orders = Stream.generate(UUID::randomUUID).limit(MANY).toList();

    for (UUID each : orders) {
      Message undo = cancel(each);
      List<Message> pair =
          List.of(
              HandMade.SHIPMENT.actionAfter(undo, each),
              undo,
              withAnotherId(HandMade.SHIPMENT.actionAfter(undo, each)),
              withAnotherId(undo));
      pair.forEach(broker::publish);
    }

    awaitAnswers(4 * MANY);
    Map<UUID, Set<String>> said =
        answers.seen().stream()
            .collect(groupingBy(HandMade::order, mapping(HandMade::words, toSet())));
    assertThat(orders)
        .allSatisfy(
            each -> {
              assertThat(said.get(each)).hasSize(2).contains("ShipmentCancelled");
              assertThat(books(each))
                  .isEqualTo(
                      said.get(each).contains("ShipmentArranged")
                          ? HandMade.SHIPMENT.doneAndUndone()
                          : List.of());
            });
  }

  @Test
  void anExpiredCommandIsNotCarriedOutAndNoRepeatRevivesIt() {
    Message command = arrange(order);

    tell(command.withExpiresAt(Instant.now().minusSeconds(60)), 1);
    tell(withAnotherId(command), 2);
    tell(cancelAfter(command), 3);

    assertThat(words())
        .containsExactly(
            "ShipmentRejected reason EXPIRED",
            "ShipmentRejected reason EXPIRED",
            "ShipmentCancelled");
    assertThat(books(order)).isEmpty();
  }

  @Test
  void aCompensationIsCarriedOutHoweverLateItIs() {
    Message command = arrange(order);

    tell(command, 1);
    tell(cancelAfter(command).withExpiresAt(Instant.now().minusSeconds(60)), 2);

    assertThat(books(order)).isEqualTo(HandMade.SHIPMENT.doneAndUndone());
  }

  /** Its books are locked, so that it surely dies before it commits. */
  @Test
  void aCrashBeforeTheCommitLeavesNothingHalfDone() {
    another.stop();
    Message command = arrange(order);
    try (OpenTransaction blocking = books().begin()) {
      blocking.lockTable("shipment_entry");
      broker.publish(command);
      blocking.awaitAnotherHeldUp();
      one.kill();
    }
    assertThat(books(order)).isEmpty();

    one.start();

    awaitAnswers(1);
    assertThat(books(order)).containsExactly("BOOKING");
  }

  @Test
  void whatItIsKilledOverIsDoneOnceAndAnsweredTheSame() {
    List<UUID> orders = Stream.generate(UUID::randomUUID).limit(10 * MANY).toList();
    List<Message> commands = orders.stream().map(this::arrange).toList();
    broker.publishAgain(1, commands);
    for (int round = 1; round <= 3; round++) {
      awaitAnswers(round * MANY);
      one.kill();
      another.kill();
      one.start();
      another.start();
    }

    await("all are answered")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answersByCommand()).hasSize(commands.size()));
    broker.publishAgain(1, commands);
    await("all are answered again")
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(answersByCommand().values()).allMatch(said -> said.size() > 1));
    expectEachBookedOnce(orders);
  }

  /** Its queue is not bound for packs, and the order service need not be told. */
  @Test
  void eachCommandComesByItself() {
    Tap singles = broker.tapSingles(Message.COMMANDS, "shipping.#");
    Customer customer = stack.newCustomer();

    customer.postImport(new ImportForm(2 * MANY).json(), Customer.newKey());
    customer.awaitOrders(2 * MANY, "CONFIRMED");

    assertThat(singles.seen())
        .extracting(message -> HandMade.order(message).toString())
        .containsAll(customer.placed().stream().map(Order::id).toList());
  }

  /** As from a sender that is told by its own settings that it may send some. */
  @Test
  void itReadsPacksAndAnswersEachMessage() {
    Message action = arrange(order);
    byte[] pack = PackBytes.of(List.of(action, withAnotherId(action), cancelAfter(action)));
    BasicProperties properties =
        new BasicProperties.Builder()
            .contentType("application/vnd.onceflow.pack")
            .type("Pack")
            .deliveryMode(2)
            .build();

    broker.publish(new Message(Message.COMMANDS, "shipping.arrange", properties, pack));

    awaitAnswers(3);
    assertThat(words())
        .containsExactly("ShipmentArranged", "ShipmentArranged", "ShipmentCancelled");
    assertThat(books(order)).isEqualTo(HandMade.SHIPMENT.doneAndUndone());
  }

  @Test
  void whatCannotBeHandledIsParkedWithItsReasonAndTheQueueGoesOn() {
    Message good = arrange(order);
    tell(good, 1);
    Map<Message, String> reasons =
        Map.of(
            arrange(order).withPayload("no JSON"), "malformed",
            arrange(order).withPayload("{\"orderId\": 42}"), "malformed",
            arrange(order).withoutKey(), "no-idempotency-key",
            arrange(order).withKey("k".repeat(300)), "no-idempotency-key",
            arrange(order).withoutScope(), "no-idempotency-key",
            arrange(order).withType("DoWhatYouLike"), "unknown-type",
            arrange(order).withoutType(), "unknown-type",
            arrange(order).withVersion("2"), "unsupported-version",
            withAnotherId(good)
                    .withPayload(good.payload().replace(order.toString(), Customer.newKey())),
                "fingerprint-mismatch");

    reasons.keySet().forEach(broker::publish);

    reasons.forEach(
        (message, reason) ->
            await(reason)
                .atMost(SOON)
                .untilAsserted(
                    () -> assertThat(books().texts(PARKED, message.id())).containsExactly(reason)));
    tell(withAnotherId(good), 2);
    assertThat(books(order)).containsExactly("BOOKING");
  }

  @Test
  void itStopsWithNothingHalfDone() {
    List<UUID> orders = Stream.generate(UUID::randomUUID).limit(10 * MANY).toList();
    broker.publishAgain(1, orders.stream().map(this::arrange).toList());
    awaitAnswers(1);

    assertThat(List.of(one.stop(), another.stop())).isEqualTo(Collections.nCopies(2, 0));
    one.start();

    await("the rest is answered")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answersByCommand()).hasSize(orders.size()));
    expectEachBookedOnce(orders);
  }

  private void expectEachBookedOnce(List<UUID> orders) {
    assertThat(answersByCommand().values()).allMatch(said -> Set.copyOf(said).size() == 1);
    assertThat(books().texts(BOOKED, orders.toString().replace('[', '{').replace(']', '}')))
        .containsExactlyInAnyOrderElementsOf(orders.stream().map(UUID::toString).toList());
  }

  /** Publishes it and waits until so many answers have come in all. */
  private void tell(Message message, int answered) {
    broker.publish(message);
    awaitAnswers(answered);
  }

  private void awaitAnswers(int count) {
    await(count + " answers")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answers.seen()).hasSizeGreaterThanOrEqualTo(count));
  }

  private Message answer() {
    return answers.seen().getFirst();
  }

  private List<String> words() {
    return answers.seen().stream().map(HandMade::words).toList();
  }

  private Map<String, List<String>> answersByCommand() {
    return answers.seen().stream()
        .collect(groupingBy(Message::correlationId, mapping(Message::payload, toList())));
  }

  private Message arrange(UUID order) {
    return HandMade.SHIPMENT.action(order).withReplyTo(replyTo);
  }

  private Message cancel(UUID order) {
    return HandMade.SHIPMENT.undo(order).withReplyTo(replyTo);
  }

  private Message cancelAfter(Message action) {
    return action.followedBy(
        "shipping.cancel", "CancelShipment", "{\"orderId\": \"%s\"}".formatted(order));
  }

  private static Message withAnotherId(Message message) {
    return message.withId(UUID.randomUUID().toString());
  }

  private static Database books() {
    return stack.nodeDatabase();
  }

  private static List<String> books(Object order) {
    return books().texts(BOOKS, order.toString());
  }
}
