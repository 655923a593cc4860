package io.onceflow.rabbitmq.internal;

import static io.onceflow.rabbitmq.internal.ConsumedQueue.PREFETCH;
import static io.onceflow.rabbitmq.internal.ConsumedQueue.SERVERS;
import static io.onceflow.rabbitmq.internal.ConsumedQueue.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.FlakyDatabase;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.test.internal.TestConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The consumer on a real broker, by a wire that can be cut. */
@Timeout(120)
@Tag("nightly")
class RabbitConsumerTest {

  private final Fixture fixture = new Fixture();
  private final ConsumedQueue queue;

  RabbitConsumerTest() throws IOException {
    queue = new ConsumedQueue();
  }

  @AfterEach
  void close() throws IOException {
    queue.close();
    fixture.close();
  }

  @Test
  void handsOnWhatComesInItsOrder() throws Exception {
    queue.consume();
    queue.send(300);
    queue.awaitReceived(300);
    assertThat(queue.bodies())
        .isEqualTo(IntStream.range(0, 300).mapToObj(String::valueOf).toList());
    Delivery one = queue.received.getFirst();
    assertThat(one.queue()).isEqualTo(queue.name);
    assertThat(one.type()).isEqualTo("TakeMoney");
    assertThat(one.correlationId()).isEqualTo("saga");
    assertThat(one.replyTo()).isEqualTo("order-service");
    assertThat(one.headers()).isEqualTo(Map.of("traceparent", "00-0af7"));
  }

  /** Messages of 15 MB ended a service; what is larger than may be is not kept whole. */
  @Test
  void keepsOnlyTheBeginningOfAMessageThatIsTooLarge() throws Exception {
    ConsumerLoop consumer = queue.consume();
    queue.publish(ConsumedQueue.properties().build(), new byte[256 * 1024 + 1]);
    queue.awaitReceived(1);
    consumer.close();
    Delivery beginning = queue.received.getFirst();
    assertThat(beginning.body()).hasSize(1024);
    assertThatExceptionOfType(UnprocessableMessage.class)
        .isThrownBy(() -> InboundMessage.read(beginning))
        .withMessageContaining("262145 bytes")
        .withMessageContaining("SHA-256")
        .extracting(UnprocessableMessage::reason)
        .isEqualTo(ParkingReason.TOO_LARGE);
  }

  /** The client closed the connection by which it came, and the broker sent it by the next one. */
  @Test
  void takesAMessageAsLargeAsTheBrokerTakesAndGoesOn() throws Exception {
    queue.consume();
    queue.publish(ConsumedQueue.properties().build(), new byte[1024 * 1024]);
    queue.send(1);
    queue.awaitReceived(2);
    assertThat(queue.wire.connections()).isEqualTo(1);
  }

  /** The broker waits for their acknowledgement, which nothing here could ever give. */
  @Test
  void receivesAgainWhatAProxyLostInBetween() throws Exception {
    queue.consume();
    queue.wire.swallow(3);
    queue.send(5);
    await().atMost(SOON).until(() -> Set.copyOf(queue.bodies()).size() == 5);
    assertThat(queue.wire.connections()).isGreaterThan(1);
  }

  /** Nothing came any more for as long as that lasted, and nothing told. */
  @Test
  void receivesAgainWhatAProxyLostWhenItsWholePrefetchIsLost() throws Exception {
    queue.consume();
    queue.wire.swallow(PREFETCH);
    queue.send(PREFETCH + 20);
    await().atMost(SOON).until(() -> queue.wire.left() == 0);
    await().atMost(SOON).until(() -> queue.received.size() >= PREFETCH);
    assertThat(queue.wire.connections()).isGreaterThan(1);
  }

  /** A consumer that has not settled what it holds is slow, not starved. */
  @Test
  void keepsItsChannelWhileItHoldsItsPrefetch() throws Exception {
    queue.consume();
    queue.send(PREFETCH + 20);
    queue.awaitReceived(PREFETCH);
    await().during(Duration.ofMillis(700)).until(() -> queue.wire.connections() == 1);
  }

  @Test
  void acknowledgesABatchByOneFrame() throws Exception {
    ConsumerLoop consumer = queue.consume();
    queue.send(300);
    queue.awaitReceived(300);
    Delivery.acknowledge(queue.received.subList(0, 200));
    await().until(() -> queue.wire.acknowledgements() == 1);
    consumer.close();
    await().atMost(SOON).until(() -> queue.waiting() == 100);
    assertThat(queue.wire.acknowledgements()).isEqualTo(1);
  }

  @Test
  void leavesWithTheBrokerWhatHasAnEarlierOneBeforeItThatIsNotSettled() throws Exception {
    ConsumerLoop consumer = queue.consume();
    queue.send(10);
    queue.awaitReceived(10);
    Delivery.acknowledge(queue.received.subList(0, 3));
    Delivery.acknowledge(queue.received.subList(4, 10));
    await().until(() -> queue.wire.acknowledgements() == 1);
    consumer.close();
    await().atMost(SOON).until(() -> queue.waiting() == 7);
  }

  @Test
  void asksForNoMoreThanItsPrefetch() throws Exception {
    queue.consume();
    queue.send(PREFETCH + 20);
    queue.awaitReceived(PREFETCH);
    await().during(Duration.ofMillis(300)).until(() -> queue.received.size() == PREFETCH);
    Delivery.acknowledge(List.copyOf(queue.received));
    queue.awaitReceived(PREFETCH + 20);
  }

  /**
   * The connector never consumed such a queue again. The embedded broker tells no consumer that its
   * queue is gone; there nobody deletes one.
   */
  @Test
  void goesOnWhenItsQueueIsDeleted() throws Exception {
    queue.consume();
    assumeThat(SERVERS.inContainers()).isTrue();
    queue.send(1);
    queue.awaitReceived(1);
    queue.delete();
    await().atMost(SOON).until(() -> queue.wire.connections() == 2);
    queue.awaitConsumer();
    queue.send(1);
    queue.awaitReceived(2);
  }

  /** A tag of the first channel means another message on the second one, or none at all. */
  @Test
  void acknowledgesNothingOnAnotherChannelThanItCameBy() throws Exception {
    ConsumerLoop consumer = queue.consume();
    queue.send(3);
    queue.awaitReceived(3);
    queue.wire.cut();
    queue.awaitReceived(6);
    Delivery.acknowledge(queue.received.subList(0, 3));
    assertThat(queue.wire.acknowledgements()).isZero();
    Delivery.acknowledge(queue.received.subList(3, 5));
    await().until(() -> queue.wire.acknowledgements() == 1);
    assertThat(consumer.isOpen()).isTrue();
    consumer.close();
    await().atMost(SOON).until(() -> queue.waiting() == 1);
  }

  @Test
  void goesOnByItselfWhenTheBrokerIsBack() throws Exception {
    ConsumerLoop consumer = queue.consume();
    SERVERS.stopBroker();
    await().atMost(SOON).until(() -> !consumer.isOpen());
    SERVERS.startBroker();
    await().atMost(SOON).until(consumer::isOpen);
    queue.reconnect();
    queue.send(5);
    queue.awaitReceived(5);
  }

  @Test
  void beginsWhenTheBrokerIsThereAtLast() throws Exception {
    SERVERS.stopBroker();
    ConsumerLoop consumer = queue.start(queue.received::add);
    await().atMost(SOON).until(() -> queue.wire.connections() >= 2);
    assertThat(consumer.isOpen()).isFalse();
    SERVERS.startBroker();
    await().atMost(SOON).until(consumer::isOpen);
    queue.reconnect();
    queue.send(1);
    queue.awaitReceived(1);
  }

  /** Rules 2 and 3: whatever was settled and not acknowledged comes again, and has no effect. */
  @Test
  void hasEverythingTakeEffectOnceThoughTheConnectionBreaksAmidUnacknowledged() throws Exception {
    FlakyDatabase database = new FlakyDatabase(Saga.PAYMENTS.source());
    Participant participant =
        fixture.participant(TestConfig.inbox(), database.source(), Handlers.all(fixture.world));
    BatchConsumer intake = fixture.intake(participant);
    queue.consume(
        delivery -> {
          queue.received.add(delivery);
          intake.accept(delivery);
        });
    database.goAway();
    List<Saga> sagas = Stream.generate(Saga::new).limit(PREFETCH).toList();
    for (Saga saga : sagas) {
      queue.send(saga.take());
    }
    queue.awaitReceived(PREFETCH);
    queue.wire.cut();
    database.comeBack();
    await().atMost(SOON).until(() -> queue.received.size() >= 2 * PREFETCH);
    // More than a lane has room for: the others wait in the database for their turn.
    try (Recovery recovery = recovering(participant)) {
      recovery.start();
      await().atMost(SOON).until(() -> sagas.stream().noneMatch(one -> one.replies().isEmpty()));
    }
    await().atMost(SOON).until(() -> queue.wire.acknowledgements() > 0);
    queue.closeConsumers();
    await().atMost(SOON).until(() -> queue.waiting() == 0);
    for (Saga saga : sagas) {
      assertThat(fixture.world.callsUnder(saga.takeKey())).isEqualTo(1);
      assertThat(saga.parkedFor()).isEmpty();
      assertThat(saga.replies()).containsOnly("MoneyTaken");
    }
  }

  private static Recovery recovering(Participant participant) {
    FailedMessages none =
        TestParticipants.failed(Saga.PAYMENTS.source(), Fixture.JSON, participant);
    return TestParticipants.recovery(participant, none, Duration.ofMillis(50));
  }
}
