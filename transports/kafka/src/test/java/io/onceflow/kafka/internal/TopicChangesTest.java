package io.onceflow.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.test.transports.TransportUnderTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an administrator, the retention of a topic and outages do to those that read it. */
@Tag("nightly")
class TopicChangesTest extends TransportUnderTest {

  private static KafkaInProcess kafka;

  private final TestKafkaConfig config = new TestKafkaConfig(false, 4);
  private final KafkaClients clients =
      new KafkaClients(Map.of("bootstrap.servers", kafka.address()), config);
  private final KafkaState state = new KafkaState();
  private final KafkaTopics topics = new KafkaTopics(clients, state, config);
  private final KafkaTransport transport = new KafkaTransport(clients, topics, state);
  private final KafkaSource source =
      new KafkaSource(
          clients,
          topics,
          state,
          new TestKafkaConfig.Ahead(32, 256 * 1024),
          new SimpleMeterRegistry());
  private final String topic = TopicNames.of(OutboxMessage.COMMANDS, service + ".x");
  private final Lines lines = new Lines();

  @BeforeAll
  static void startKafka() {
    kafka = KafkaInProcess.begin();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void readLog() {
    Logger.getLogger("io.onceflow.kafka").addHandler(lines);
  }

  @AfterEach
  void closeClients() {
    Logger.getLogger("io.onceflow.kafka").removeHandler(lines);
    clients.close();
  }

  @Test
  void aTopicThatIsMadeAgainWhileTheServiceIsStoppedIsReadFromItsFirstRecord() throws Exception {
    make(4);
    publishUntilConfirmed(some(0, 100));
    try (Replica first = new Replica(source, queue)) {
      awaitSettled(first, 0, 100);
    }
    delete();
    make(2);
    publishUntilConfirmed(some(100, 300));

    try (Replica next = new Replica(source, queue)) {
      awaitSettled(next, 100, 300);
    }
  }

  /** It committed offsets of the deleted topic; what has those in the new one was skipped. */
  @Test
  void aTopicThatIsMadeAgainUnderARunningServiceIsReadFromItsFirstRecord() throws Exception {
    make(4);
    publishUntilConfirmed(some(0, 100));
    try (Replica replica = new Replica(source, queue)) {
      awaitSettled(replica, 0, 100);

      delete();
      make(4);
      publishUntilConfirmed(some(100, 300));

      awaitSettled(replica, 100, 300);
    }
  }

  /** Nothing told for as long as that lasted. */
  @Test
  void aTopicThatIsDeletedUnderARunningServiceIsToldAndAwaited() throws Exception {
    make(4);
    publishUntilConfirmed(some(0, 100));
    try (Replica replica = new Replica(source, queue)) {
      awaitSettled(replica, 0, 100);

      delete();
      await().atMost(soon()).until(() -> state.refusal().isPresent());
      assertThat(state.refusal().orElseThrow()).contains("Kafka lacks the topic " + topic);
      make(2);
      publishUntilConfirmed(some(100, 300));

      awaitSettled(replica, 100, 300);
      assertThat(state.refusal()).isEmpty();
    }
  }

  /** It was five minutes until a consumer looked for more. */
  @Test
  void partitionsThatAreAddedAreReadSoon() throws Exception {
    make(2);
    publishUntilConfirmed(some(0, 100));
    try (Replica replica = new Replica(source, queue)) {
      awaitSettled(replica, 0, 100);

      clients.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(8))).all().get();
      publishUntilConfirmed(some(100, 300));

      awaitSettled(replica, 100, 300);
    }
  }

  /** Sagas send it again; that it was lost is for an operator to know. */
  @Test
  void whatTheRetentionHasDeletedBeforeItWasReadIsTold() throws Exception {
    make(1);
    publishUntilConfirmed(some(0, 100));
    try (Replica first = new Replica(source, queue)) {
      awaitSettled(first, 0, 100);
    }
    publishUntilConfirmed(some(100, 300));
    clients
        .admin()
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(300)))
        .all()
        .get();

    try (Replica next = new Replica(source, queue)) {
      awaitSettled(next, 300, 100);
      assertThat(lines.of("records of " + topic))
          .singleElement()
          .asString()
          .contains("it was at offset 100, the first is 300");
    }
  }

  /** One line when it begins and one when it has ended, however often the clients try. */
  @Test
  void anOutageIsToldOnceAndSoIsItsEnd() throws Exception {
    make(4);
    publishUntilConfirmed(some(0, 100));
    try (Replica replica = new Replica(source, queue)) {
      awaitSettled(replica, 0, 100);

      kafka.stop();
      await().atMost(soon()).until(() -> !lines.of("no messages of").isEmpty());
      kafka.startAgain();
      publishUntilConfirmed(some(100, 300));

      awaitSettled(replica, 100, 300);
      await().atMost(soon()).until(() -> !lines.of("from Kafka again").isEmpty());
      assertThat(lines.of("no messages of")).hasSize(1);
    }
  }

  /** Three replicas, of which one after the other leaves and comes back. */
  @Test
  void aStormOfRebalancesLosesNothingAndRepeatsLittle() throws Exception {
    make(12);
    List<Replica> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(new Replica(source, queue));
    }
    try {
      for (int round = 0; round < 9; round++) {
        publishUntilConfirmed(some(100 * round, 100));
        all.get(all.size() - 3).close();
        all.add(new Replica(source, queue));
      }
      Set<String> sent = Set.copyOf(payloads(some(0, 900)));
      await()
          .atMost(soon())
          .until(
              () -> {
                Set<String> settled = new HashSet<>();
                all.forEach(replica -> settled.addAll(replica.payloads()));
                return settled.containsAll(sent);
              });
      assertThat(all.stream().mapToInt(replica -> replica.payloads().size()).sum())
          .isLessThan(2 * 900);
    } finally {
      all.subList(all.size() - 3, all.size()).forEach(Replica::close);
    }
  }

  private void make(int partitions) throws Exception {
    clients.admin().createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
  }

  private void delete() throws Exception {
    clients.admin().deleteTopics(List.of(topic)).all().get();
  }

  private void awaitSettled(Replica replica, int from, int count) {
    List<String> expected = payloads(some(from, count));
    await().atMost(soon()).until(() -> replica.payloads().containsAll(expected));
  }

  /** Commands of many sagas, so that every partition gets some. */
  private List<OutboxMessage> some(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            number ->
                new OutboxMessage(
                    OutboxMessage.newId(),
                    "trip",
                    "trip-" + number,
                    "ReserveFlight",
                    Integer.toString(number),
                    OutboxMessage.COMMANDS,
                    service + ".reserve",
                    "saga-" + number,
                    "trips",
                    Map.of()))
        .toList();
  }

  @Override
  protected MessageTransport transport() {
    return transport;
  }

  @Override
  protected MessageSource source() {
    return source;
  }

  /** What is logged. */
  private static final class Lines extends Handler {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    List<String> of(String part) {
      return lines.stream().filter(line -> line.contains(part)).toList();
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(
          line.getParameters() == null
              ? line.getMessage()
              : line.getMessage().formatted(line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
