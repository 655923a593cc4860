package com.example.loyalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.points.KafkaBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application in processes of its own, which are killed at the worst moments. */
@Tag("packaged")
@Timeout(600)
@Tag("nightly")
class KillTest {

  private static final int PARTITIONS = 6;

  /** Two busy cores, and members that are only missed after some seconds. */
  private static final Duration IN_THE_END = Duration.ofMinutes(3);

  private final Deque<LoyaltyProcess> processes = new ArrayDeque<>();
  private KafkaBroker kafka;
  private Postgres postgres;
  private KafkaProducer<String, String> producer;

  @BeforeEach
  void startServers() throws IOException {
    kafka = KafkaBroker.start();
    kafka.create(PARTITIONS, "purchases", "points-awarded");
    postgres = new Postgres();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.address()),
            new StringSerializer(),
            new StringSerializer());
  }

  @AfterEach
  void stopAll() {
    processes.forEach(LoyaltyProcess::close);
    producer.close();
    kafka.close();
    postgres.close();
  }

  /** Offsets are committed so seldom here that none has been, though all is in the database. */
  @Test
  void handlesNothingTwiceThatWasCommittedAndNotAcknowledged() throws Exception {
    String seldom = "mp.messaging.incoming.purchases.auto.commit.interval.ms";
    LoyaltyProcess first = start(Map.of(seldom, "600000")).awaitReady();
    purchaseEach(0, 100);
    await().atMost(IN_THE_END).until(() -> points("customer-%") == 100);
    first.kill();
    assertThat(committed()).isZero();
    start(Map.of()).awaitReady();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      purchase(partition, "last-" + partition, "last-" + partition);
    }
    await().atMost(IN_THE_END).until(() -> points("last-%") == PARTITIONS);
    await().atMost(IN_THE_END).until(() -> committed() == 100 + PARTITIONS);
    assertThat(points("customer-%")).isEqualTo(100);
    everythingTookEffectOnce(100 + PARTITIONS);
  }

  /** The database lets no row of the outbox be deleted, so that it waits there for the kill. */
  @Test
  void sendsAgainWhatWasAcknowledgedAndNotDeletedAndItTakesEffectOnce() {
    LoyaltyProcess first = start(Map.of()).awaitReady();
    postgres.execute(
        """
        CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(600); RETURN OLD; END $$;
        CREATE TRIGGER hold BEFORE DELETE ON outbox_message FOR EACH ROW EXECUTE FUNCTION hold()
        """);
    purchase(0, "customer-0", "key-0");
    await().atMost(IN_THE_END).until(() -> awards().size() == 1);
    first.kill();
    assertThat(waiting()).isEqualTo(1);
    postgres.execute(
        """
        SELECT pg_terminate_backend(pid)
        FROM   pg_stat_activity
        WHERE  usename = current_user AND pid <> pg_backend_pid();
        DROP TRIGGER hold ON outbox_message
        """);
    start(Map.of()).awaitReady();
    await().atMost(IN_THE_END).until(() -> waiting() == 0);
    List<String> ids = awards().stream().map(KillTest::messageId).toList();
    assertThat(ids).hasSize(2);
    assertThat(Set.copyOf(ids)).hasSize(1);
    purchase(0, "customer-0", "key-1");
    await().atMost(IN_THE_END).until(() -> points("congratulated customer-0") == 2);
    assertThat(postgres.number("SELECT changes FROM account WHERE customer = 'customer-0'"))
        .isEqualTo(2);
  }

  /**
   * Members die and join while others work; every order is sent three times. At night: the points
   * of the kills above are the ones at which something could go wrong, and these are any.
   */
  @Test
  @Tag("nightly")
  void losesNothingAndRepeatsNothingWhileMembersAreKilled() {
    for (int i = 0; i < 3; i++) {
      start(Map.of());
    }
    processes.forEach(LoyaltyProcess::awaitReady);
    for (int round = 0; round < 3; round++) {
      purchaseEach(0, 400);
      int seen = 100 * (round + 1);
      await().atMost(IN_THE_END).until(() -> points("customer-%") >= seen);
      processes.removeFirst().kill();
      start(Map.of());
    }
    everythingTookEffectOnce(400);
  }

  @Test
  void goesOnWhereTheDatabaseWasGone() throws IOException {
    start(Map.of()).awaitReady();
    start(Map.of()).awaitReady();
    purchaseEach(0, 100);
    await().atMost(IN_THE_END).until(() -> points("customer-%") > 0);
    for (int round = 1; round <= 2; round++) {
      postgres.stop();
      purchaseEach(100 * round, 100);
      postgres.start();
      int seen = 100 * round + 1;
      await().atMost(IN_THE_END).until(() -> points("customer-%") >= seen);
    }
    everythingTookEffectOnce(300);
  }

  private void everythingTookEffectOnce(int purchases) {
    await().atMost(IN_THE_END).until(() -> points("congratulated %") == purchases);
    await().atMost(IN_THE_END).until(() -> waiting() == 0);
    assertThat(postgres.number("SELECT count(*) FROM account WHERE points <> 1 OR changes <> 1"))
        .isZero();
    assertThat(postgres.number("SELECT count(*) FROM account")).isEqualTo(2L * purchases);
    assertThat(postgres.number("SELECT count(*) FROM parked_message")).isZero();
  }

  private LoyaltyProcess start(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("kafka.bootstrap.servers", kafka.address());
    settings.put("quarkus.datasource.jdbc.url", postgres.url());
    settings.put("quarkus.datasource.username", postgres.user());
    settings.put("quarkus.datasource.password", postgres.password());
    // A member that was killed is missed after as long as that.
    settings.put("mp.messaging.connector.smallrye-kafka.session.timeout.ms", "6000");
    settings.put("mp.messaging.connector.smallrye-kafka.heartbeat.interval.ms", "1000");
    settings.put("onceflow.outbox.relay.confirm-deadline", "PT3S");
    settings.put("onceflow.outbox.relay.longest-backoff", "PT1S");
    LoyaltyProcess process = new LoyaltyProcess(settings);
    processes.addLast(process);
    return process;
  }

  /** A purchase of each of so many customers, for one point. */
  private void purchaseEach(int from, int number) {
    IntStream.range(from, from + number)
        .forEach(i -> purchase(i % PARTITIONS, "customer-" + i, "key-" + i));
    producer.flush();
  }

  private void purchase(int partition, String customer, String idempotencyKey) {
    String value = "{\"customer\":\"%s\",\"amount\":100}".formatted(customer);
    ProducerRecord<String, String> record =
        new ProducerRecord<>("purchases", partition, customer, value);
    record.headers().add("x-idempotency-key", idempotencyKey.getBytes(StandardCharsets.UTF_8));
    producer.send(record);
  }

  private long points(String customers) {
    return postgres.number(
        "SELECT coalesce(sum(points), 0) FROM account WHERE customer LIKE '%s'"
            .formatted(customers));
  }

  private long waiting() {
    return postgres.number("SELECT count(*) FROM outbox_message");
  }

  /** How many purchases the group has acknowledged. */
  private long committed() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
      return admin
          .listConsumerGroupOffsets("loyalty")
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(entry -> entry.getKey().topic().equals("purchases"))
          .mapToLong(entry -> entry.getValue().offset())
          .sum();
    }
  }

  /** All that lies in the topic that the outbox sends to. */
  private List<ConsumerRecord<String, String>> awards() {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.address()),
            new StringDeserializer(),
            new StringDeserializer())) {
      Set<TopicPartition> all =
          IntStream.range(0, PARTITIONS)
              .mapToObj(partition -> new TopicPartition("points-awarded", partition))
              .collect(Collectors.toSet());
      long end = consumer.endOffsets(all).values().stream().mapToLong(Long::longValue).sum();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      while (records.size() < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  private static String messageId(ConsumerRecord<?, ?> record) {
    return new String(record.headers().lastHeader("message-id").value(), StandardCharsets.UTF_8);
  }
}
