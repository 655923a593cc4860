package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bundles go only to a queue that is bound for them, on a real broker. */
@Timeout(120)
class AnnouncedBundlesTest {

  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int TO_A_BUNDLE = 20;

  private final AtomicLong now = new AtomicLong();
  private final BrokerConnection broker = TestBrokers.of(BrokerShipping.SERVERS, now::get);
  private final BrokerShipping shipping = new BrokerShipping(broker);
  private final TransportPublisher publisher =
      new TransportPublisher(broker, new BundlePolicy(TO_A_BUNDLE));
  private final Listener listener = new Listener();

  @AfterEach
  void close() {
    publisher.close();
    listener.close();
    shipping.close();
  }

  @Test
  void aQueueThatIsBoundForBundlesGetsBundles() throws Exception {
    listener.to(OutboxMessage.COMMANDS, shipping.to);

    List<OutboxMessage> batch = published(5 * TO_A_BUNDLE);

    awaitHeard(List.of(batch));
    assertThat(listener.bundles()).isEqualTo(5);
    assertThat(listener.received()).allMatch(one -> one.routingKey().equals(shipping.to));
  }

  /** One more than fill the bundles is a message alone: it must not overtake them. */
  @Test
  void anyOtherGetsEachMessageOnceByItselfAndInOrder() throws Exception {
    listener.singlyTo(OutboxMessage.COMMANDS, shipping.to);

    List<OutboxMessage> batch = published(3 * TO_A_BUNDLE + 1);

    awaitHeard(List.of(batch));
    assertThat(listener.bundles()).isZero();
    assertThat(listener.received()).allMatch(one -> one.routingKey().equals(shipping.to));
    awaitHeard(List.of(batch, published(2 * TO_A_BUNDLE)));
  }

  /** The bundle was refused again and again, with each of its messages. */
  @Test
  void aPackThatIsLargerThanTheBrokerTakesGoesOutAsItsMessages() throws Exception {
    listener.to(OutboxMessage.COMMANDS, shipping.to);
    BrokerConnection narrow = TestBrokers.of(BrokerShipping.SERVERS, 1024);
    try (TransportPublisher publishing =
        new TransportPublisher(narrow, new BundlePolicy(TO_A_BUNDLE))) {
      List<OutboxMessage> batch = commands(TO_A_BUNDLE);

      assertThat(publishing.publish(batch, DEADLINE).confirmed()).hasSize(TO_A_BUNDLE);

      awaitHeard(List.of(batch));
      assertThat(listener.bundles()).isZero();
    } finally {
      TestBrokers.close(narrow);
    }
  }

  @Test
  void aBindingIsNoticedAfterAMinute() throws Exception {
    listener.singlyTo(OutboxMessage.COMMANDS, shipping.to);
    List<OutboxMessage> first = published(TO_A_BUNDLE);
    listener.to(OutboxMessage.COMMANDS, shipping.to);

    now.addAndGet(BundleRoutes.BELIEVED_FOR.toNanos() - 1);
    List<OutboxMessage> second = published(TO_A_BUNDLE);
    awaitHeard(List.of(first, second));
    assertThat(listener.bundles()).isZero();

    now.incrementAndGet();
    List<OutboxMessage> third = published(2 * TO_A_BUNDLE);
    awaitHeard(List.of(first, second, third));
    assertThat(listener.bundles()).isEqualTo(2);
  }

  @Test
  void aBindingThatIsTakenAwayLosesNothing() throws Exception {
    listener.to(OutboxMessage.COMMANDS, shipping.to);
    List<OutboxMessage> first = published(2 * TO_A_BUNDLE);
    awaitHeard(List.of(first));
    listener.noBundlesTo(OutboxMessage.COMMANDS, shipping.to);

    List<OutboxMessage> second = published(3 * TO_A_BUNDLE);
    List<OutboxMessage> third = published(2 * TO_A_BUNDLE);

    awaitHeard(List.of(first, second, third));
    assertThat(listener.bundles()).isEqualTo(2);
  }

  @Test
  void eachRouteIsTreatedByItself() throws Exception {
    String other = shipping.to + ".other";
    String nowhere = shipping.to + ".nowhere";
    listener.to(OutboxMessage.COMMANDS, shipping.to).singlyTo(OutboxMessage.COMMANDS, other);
    List<OutboxMessage> bundled = new ArrayList<>();
    List<OutboxMessage> singles = new ArrayList<>();
    List<OutboxMessage> lost = new ArrayList<>();
    List<OutboxMessage> batch = new ArrayList<>();
    for (int i = 0; i < 2 * TO_A_BUNDLE; i++) {
      bundled.add(shipping.command());
      singles.add(shipping.message(OutboxMessage.COMMANDS, other));
      lost.add(shipping.message(OutboxMessage.COMMANDS, nowhere));
      batch.addAll(List.of(bundled.getLast(), singles.getLast(), lost.getLast()));
    }

    Published published = publisher.publish(batch, DEADLINE);

    assertThat(published.confirmed())
        .containsAll(ids(bundled))
        .containsAll(ids(singles))
        .hasSize(4 * TO_A_BUNDLE);
    assertThat(published.refused().keySet()).isEqualTo(ids(lost));
    await().atMost(DEADLINE).until(() -> listener.received().size() == 4 * TO_A_BUNDLE);
    assertThat(listener.bundles()).isEqualTo(2);
    assertThat(heard(shipping.to)).isEqualTo(inOrder(bundled));
    assertThat(heard(other)).isEqualTo(inOrder(singles));
  }

  /** It says nothing of bundles that a queue is missing, as while a service is installed. */
  @Test
  void aQueueThatIsMadeLaterGetsBundlesAtOnce() throws Exception {
    List<OutboxMessage> batch = commands(TO_A_BUNDLE);
    assertThat(publisher.publish(batch, DEADLINE).refused().keySet()).isEqualTo(ids(batch));
    listener.to(OutboxMessage.COMMANDS, shipping.to);

    assertThat(publisher.publish(batch, DEADLINE).confirmed()).isEqualTo(ids(batch));

    awaitHeard(List.of(batch));
    assertThat(listener.bundles()).isEqualTo(1);
  }

  /** In a bundle any type can be written. Its messages are sent before and after, and confirmed. */
  @Test
  void whatCannotBeWrittenSinglyCostsOnlyItself() throws Exception {
    listener.singlyTo(OutboxMessage.COMMANDS, shipping.to);
    List<OutboxMessage> good = commands(TO_A_BUNDLE - 1);
    OutboxMessage bad = withType("T".repeat(300));
    for (int place : List.of(3, TO_A_BUNDLE - 1)) {
      List<OutboxMessage> batch = new ArrayList<>(good);
      batch.add(place, bad);

      Published published = publisher.publish(batch, DEADLINE);

      assertThat(published.confirmed()).isEqualTo(ids(good));
      assertThat(published.refused()).containsOnlyKeys(bad.id());
    }
  }

  /** By the channel of messages that are handed over in memory. */
  @Test
  void aPackIsConfirmedWhenAllItsMessagesAre() throws Exception {
    listener.singlyTo(OutboxMessage.COMMANDS, shipping.to);
    List<OutboxMessage> batch = commands(3 * TO_A_BUNDLE);
    List<OutgoingMessage> bundles = OutgoingMessage.bundle(batch, new BundlePolicy(TO_A_BUNDLE));
    try (PublishingChannel channel = PublishingChannel.open(broker, DEADLINE)) {
      channel.write(bundles, DEADLINE);

      Published published = channel.await(DEADLINE);

      assertThat(published)
          .isEqualTo(
              new Published(
                  bundles.stream().map(OutgoingMessage::id).collect(Collectors.toSet()), Map.of()));
    }
    awaitHeard(List.of(batch));
  }

  @Test
  void aQueueThatMeansAllBundlesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue("bundle.#"))
        .withMessageContaining("bundle.#");
  }

  private static RabbitQueue queue(String routingKey) {
    return new RabbitQueue("bundle-service.commands", OutboxMessage.COMMANDS, routingKey);
  }

  private List<OutboxMessage> commands(int count) {
    return Stream.generate(shipping::command).limit(count).toList();
  }

  private OutboxMessage withType(String type) {
    OutboxMessage usual = shipping.command();
    return new OutboxMessage(
        usual.id(),
        usual.aggregateType(),
        usual.aggregateId(),
        type,
        usual.payload(),
        usual.exchange(),
        usual.routingKey(),
        usual.correlationId(),
        usual.replyTo(),
        usual.headers());
  }

  private List<OutboxMessage> published(int count) throws Exception {
    List<OutboxMessage> batch = commands(count);
    assertThat(publisher.publish(batch, DEADLINE)).isEqualTo(new Published(ids(batch), Map.of()));
    return batch;
  }

  private void awaitHeard(List<List<OutboxMessage>> batches) {
    List<String> expected = batches.stream().flatMap(it -> inOrder(it).stream()).toList();
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(listener.ids()).hasSameSizeAs(expected));
    assertThat(listener.ids()).isEqualTo(expected);
  }

  private List<String> heard(String routingKey) {
    return listener.received().stream()
        .filter(one -> one.routingKey().equals(routingKey))
        .map(Listener.Received::id)
        .toList();
  }

  private static List<String> inOrder(List<OutboxMessage> messages) {
    return messages.stream().map(message -> message.id().toString()).toList();
  }

  private static Set<UUID> ids(List<OutboxMessage> batch) {
    return batch.stream().map(OutboxMessage::id).collect(Collectors.toSet());
  }
}
