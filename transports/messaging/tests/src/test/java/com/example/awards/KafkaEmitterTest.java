package com.example.awards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.points.KafkaBroker;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application whose {@code @Once} methods send, on Kafka and PostgreSQL alone. */
@Tag("nightly")
class KafkaEmitterTest {

  private static final KafkaBroker KAFKA = KafkaBroker.named("KafkaEmitterTest");

  private static final Duration SOON = Duration.ofSeconds(60);

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      AwardsApplication.onKafka(KAFKA, "awards")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.longest-backoff", "PT1S")
          .setAfterAllCustomizer(KAFKA::close);

  @Inject Grants grants;
  @Inject Balances balances;

  @ConfigProperty(name = "kafka.bootstrap.servers")
  String kafka;

  private String customer = "";

  @BeforeEach
  void name() {
    customer = UUID.randomUUID().toString();
  }

  @Test
  void sendsFromTheTransactionOfTheInbox() {
    purchase(customer + "-1", 500);
    purchase(customer + "-1", 500);
    purchase(customer + "-2", 200);
    await().atMost(SOON).until(() -> congratulated(customer) == 7);
    await().atMost(SOON).until(() -> balances.waiting(customer) == 0);
    assertThat(balances.of(customer)).isEqualTo(7);
    assertThat(balances.changes("congratulated " + customer)).isEqualTo(2);
  }

  /** The table takes no points of nobody, so that the method fails after it has sent. */
  @Test
  void sendsNothingOfAMessageWhoseHandlingFails() {
    send(customer + "-failing", "{\"customer\":\"nobody\",\"amount\":100}");
    await()
        .atMost(SOON)
        .until(
            () ->
                balances.number(
                        "SELECT count(*) FROM parked_message WHERE reason = 'handling-failed'")
                    > 0);
    purchase(customer + "-1", 100);
    await().atMost(SOON).until(() -> congratulated(customer) == 1);
    assertThat(congratulated("nobody")).isZero();
    assertThat(balances.waiting("nobody")).isZero();
  }

  @Test
  void keepsTheOrderOfAKeyAndGivesRecordsTheirHeaders() {
    for (int points = 1; points <= 40; points++) {
      grants.grant(customer, points);
    }
    List<ConsumerRecord<String, String>> records = records(40);
    assertThat(records)
        .extracting(ConsumerRecord::value)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 40)
                .mapToObj("{\"customer\":\"%s\",\"points\":%%d}".formatted(customer)::formatted)
                .toList());
    assertThat(records).extracting(record -> header(record, "message-id")).doesNotHaveDuplicates();
    ConsumerRecord<String, String> first = records.getFirst();
    assertThat(header(first, "x-idempotency-key")).isEqualTo(header(first, "message-id"));
    assertThat(header(first, "type")).isEqualTo("PointsAwarded");
    assertThat(header(first, "content-type")).isEqualTo("application/json");
  }

  /** By day the transport's laws stop the broker. */
  @Test
  void goesOnWhereTheBrokerWasGone() {
    grants.grant(customer, 1);
    await().atMost(SOON).until(() -> congratulated(customer) == 1);
    KAFKA.close();
    for (int i = 0; i < 50; i++) {
      grants.grant(customer, 1);
    }
    await()
        .atMost(SOON)
        .until(() -> balances.number("SELECT max(attempts) FROM outbox_message") > 0);
    assertThat(balances.waiting(customer)).isEqualTo(50);
    KAFKA.startAgain();
    await().atMost(Duration.ofMinutes(2)).until(() -> congratulated(customer) == 51);
    await().atMost(Duration.ofMinutes(2)).until(() -> balances.waiting(customer) == 0);
    assertThat(balances.changes("congratulated " + customer)).isEqualTo(51);
  }

  private int congratulated(String name) {
    return balances.of("congratulated " + name);
  }

  private void purchase(String idempotencyKey, int amount) {
    send(idempotencyKey, "{\"customer\":\"%s\",\"amount\":%d}".formatted(customer, amount));
  }

  private void send(String idempotencyKey, String value) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka), new StringSerializer(), new StringSerializer())) {
      ProducerRecord<String, String> record = new ProducerRecord<>("purchases", customer, value);
      record.headers().add("x-idempotency-key", idempotencyKey.getBytes(StandardCharsets.UTF_8));
      producer.send(record);
    }
  }

  /** This customer's, as they lie in the topic. */
  private List<ConsumerRecord<String, String>> records(int number) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka, "group.id", customer, "auto.offset.reset", "earliest");
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of("points-awarded"));
      await()
          .atMost(SOON)
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(100))
                    .forEach(
                        record -> {
                          if (customer.equals(record.key())) {
                            records.add(record);
                          }
                        });
                return records.size() >= number;
              });
    }
    return records;
  }

  private static String header(ConsumerRecord<?, ?> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
