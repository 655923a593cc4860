package io.onceflow.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.test.transports.BrokerLaws;
import io.onceflow.test.transports.TransportReceiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The laws of transports, kept by Kafka, and what only Kafka has to do. */
@Tag("nightly")
class KafkaTransportTest extends BrokerLaws {

  private static final int PREFETCH = 32;
  private static final int LARGEST = 256 * 1024;
  private static final Duration A_MOMENT = Duration.ofMillis(500);

  private static KafkaInProcess kafka;

  private final TestKafkaConfig config = new TestKafkaConfig(true, 4);
  private final KafkaClients clients =
      new KafkaClients(Map.of("bootstrap.servers", kafka.address()), config);
  private final KafkaState state = new KafkaState();
  private final KafkaTopics topics = new KafkaTopics(clients, state, config);
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final KafkaTransport transport = new KafkaTransport(clients, topics, state);
  private final KafkaSource source = source(topics);

  @BeforeAll
  static void startKafka() {
    kafka = KafkaInProcess.begin();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @AfterEach
  void closeClients() {
    stopReceivers();
    clients.close();
  }

  private KafkaSource source(KafkaTopics known) {
    return new KafkaSource(
        clients, known, state, new TestKafkaConfig.Ahead(PREFETCH, LARGEST), metrics);
  }

  /**
   * A partition has one reader: what it cannot take waits for it. It remains a member of its group
   * meanwhile, and goes on when it can.
   */
  @Override
  @Test
  public void aReceiverIsSentOnlySoManyAheadOfItsAcknowledgements() throws Exception {
    TransportReceiver full = receiver();
    full.settleAtMost(0);
    List<OutboxMessage> batch = commands(4 * PREFETCH);
    publishUntilConfirmed(batch);
    await().atMost(soon()).until(() -> lag() == batch.size());
    await().during(A_MOMENT).until(() -> full.settled().isEmpty());

    full.settleAll();

    await().atMost(soon()).until(() -> full.settled().size() == batch.size());
    assertThat(full.payloads()).isEqualTo(payloads(batch));
    await().atMost(soon()).until(() -> lag() == 0);
  }

  private double lag() {
    return metrics.get(ConsumerLag.NAME).tag("queue", queue.name()).gauge().value();
  }

  /** Replicas share the partitions; nothing is left out, and each saga keeps its order. */
  @Test
  void replicasThatComeAndGoSettleEverythingInTheOrderOfEachSaga() throws Exception {
    List<OutboxMessage> batch = new ArrayList<>();
    try (Replica second = new Replica(source, queue)) {
      Replica first = new Replica(source, queue);
      try (first) {
        await()
            .atMost(soon())
            .until(
                () -> {
                  publishMore(batch);
                  return !first.payloads().isEmpty() && !second.payloads().isEmpty();
                });
        publishMore(batch);
      }
      publishMore(batch);

      await()
          .atMost(soon())
          .untilAsserted(
              () -> {
                Set<String> all = new HashSet<>(first.payloads());
                all.addAll(second.payloads());
                assertThat(all).containsAll(payloads(batch));
              });
      assertOrderOfSagas(first.payloads());
      assertOrderOfSagas(second.payloads());
    }
  }

  private void publishMore(List<OutboxMessage> batch) throws Exception {
    List<OutboxMessage> more =
        IntStream.range(batch.size(), batch.size() + 80)
            .mapToObj(number -> ofSaga(number % 8, number))
            .toList();
    batch.addAll(more);
    publishUntilConfirmed(more);
  }

  private OutboxMessage ofSaga(int saga, int number) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "trip",
        "trip-" + saga,
        "ReserveFlight",
        Integer.toString(number),
        OutboxMessage.COMMANDS,
        service + ".reserve",
        "saga-" + saga,
        "trips",
        Map.of());
  }

  private static void assertOrderOfSagas(List<String> payloads) {
    for (int saga = 0; saga < 8; saga++) {
      int of = saga;
      List<Integer> numbers =
          payloads.stream().map(Integer::valueOf).filter(it -> it % 8 == of).distinct().toList();
      assertThat(numbers).isSorted();
    }
  }

  /** It is parked by the inbox, and the partition goes on. */
  @Test
  void aRecordThatIsNoMessageBlocksNothing() throws Exception {
    TransportReceiver receiver = receiver();
    String topic = TopicNames.of(OutboxMessage.COMMANDS, service + ".reserve");
    try (KafkaProducer<byte[], byte[]> producer = clients.producer()) {
      producer.send(new ProducerRecord<>(topic, "saga-1".getBytes(), null)).get();
      producer.send(new ProducerRecord<>(topic, "saga-1".getBytes(), new byte[LARGEST + 1])).get();
    }
    publishUntilConfirmed(List.of(message("ReserveFlight", "next")));

    await().atMost(soon()).until(() -> receiver.payloads().contains("next"));
    assertThat(receiver.settled().get(0).fault()).isEqualTo("the record has no value");
    assertThat(receiver.settled().get(0).type()).isNull();
    assertThat(receiver.settled().get(1).body()).hasSizeLessThan(LARGEST);
  }

  /** Without the right to make it: not ready, with a sentence, until somebody has made it. */
  @Test
  void aTopicThatIsMissingIsSaidAndAwaited() throws Exception {
    KafkaSource looking = source(new KafkaTopics(clients, state, new TestKafkaConfig(false, 4)));
    try (Replica replica = new Replica(looking, queue)) {
      await().atMost(soon()).until(() -> state.refusal().isPresent());
      assertThat(state.refusal().orElseThrow())
          .contains(TopicNames.of(OutboxMessage.COMMANDS, service + ".x"))
          .contains("administrator");

      assertThat(topics.look("other", TopicNames.of(queue), soon())).isNotEmpty();
      publishUntilConfirmed(commands(1));

      await().atMost(soon()).until(() -> !replica.payloads().isEmpty());
      assertThat(state.refusal()).isEmpty();
    }
  }

  /** Whatever it fails of: a thread that ended would leave the queue without a consumer. */
  @Test
  void aLoopThatFailsBeginsAnew() {
    AtomicInteger begun = new AtomicInteger();
    Function<Map<String, Uuid>, GroupMember> failing =
        ids -> {
          throw new IllegalStateException("time " + begun.incrementAndGet());
        };
    PollLoop loop = new PollLoop(queue.name(), TopicNames.of(queue), topics, state, failing);
    loop.start();
    try {
      await().atMost(soon()).until(() -> begun.get() > 1);
    } finally {
      loop.cancel();
      loop.close();
    }
  }

  @Test
  void aQueueOfAPartOfATopicIsRefused() {
    MessageSource.Queue part =
        new MessageSource.Queue("q", OutboxMessage.COMMANDS, List.of("flight.reserve"));

    assertThatThrownBy(() -> TopicNames.of(part))
        .isInstanceOf(RoutingKeyUnsupported.class)
        .hasMessageContaining("is bound by \"flight.reserve\"");
  }

  /** Nothing else is too large for a header or a key. */
  @Override
  protected OutboxMessage unwritable() {
    return message("ReserveFlight", "x".repeat(TestKafkaConfig.LARGEST_SENT + 1));
  }

  @Override
  protected MessageTransport transport() {
    return transport;
  }

  @Override
  protected MessageSource source() {
    return source;
  }

  @Override
  protected int prefetch() {
    return PREFETCH;
  }

  @Override
  protected void breakConnections() {
    kafka.cutConnections();
  }

  @Override
  protected void stopBroker() {
    kafka.stop();
  }

  @Override
  protected void startBroker() {
    kafka.startAgain();
  }
}
