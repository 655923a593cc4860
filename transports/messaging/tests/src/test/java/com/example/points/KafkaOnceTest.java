package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that reads channels, on Kafka and PostgreSQL alone. */
@Tag("nightly")
class KafkaOnceTest {

  @RegisterExtension static final QuarkusUnitTest APPLICATION = PointsApplication.onKafka();

  @Inject Accounts accounts;

  @ConfigProperty(name = "kafka.bootstrap.servers")
  String kafka;

  private String customer = "";
  private Producer producer;

  @BeforeEach
  void connect() {
    customer = UUID.randomUUID().toString();
    producer = new Producer(kafka);
  }

  @AfterEach
  void close() {
    producer.close();
  }

  @Test
  void handlesAMessageOnceHoweverOftenItComes() {
    String order = order(customer, 500);
    for (int i = 0; i < 20; i++) {
      producer.send("orders", customer + "-1", order);
    }
    producer.send("orders", customer + "-2", order(customer, 200));
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(7));
  }

  @Test
  void parksWhatItCannotReadAndGoesOn() {
    int noKey = accounts.parked("orders/award-points", "no-idempotency-key");
    int malformed = accounts.parked("orders/award-points", "malformed");
    int mismatches = accounts.parked("orders/award-points", "fingerprint-mismatch");
    producer.send("orders", "", order(customer, 100));
    producer.send("orders", customer + "-3", "{\"orderId\":");
    producer.send("orders", customer + "-4", order(customer, 300));
    producer.send("orders", customer + "-4", order(customer, 900));
    producer.send("orders", customer + "-5", order(customer, 400));
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(7));
    assertThat(accounts.parked("orders/award-points", "no-idempotency-key")).isEqualTo(noKey + 1);
    assertThat(accounts.parked("orders/award-points", "malformed")).isEqualTo(malformed + 1);
    assertThat(accounts.parked("orders/award-points", "fingerprint-mismatch"))
        .isEqualTo(mismatches + 1);
  }

  @Test
  void parksAMessageWhoseHandlingFailsAndHandlesItsBatch() {
    int failed = accounts.parked("orders/award-points", "handling-failed");
    for (int i = 0; i < 10; i++) {
      producer.send("orders", customer + "-before-" + i, order(customer, 100));
    }
    producer.send("orders", customer + "-failing", order("nobody", 100));
    for (int i = 0; i < 10; i++) {
      producer.send("orders", customer + "-after-" + i, order(customer, 100));
    }
    await()
        .untilAsserted(
            () -> {
              assertThat(accounts.of(customer)).isEqualTo(20);
              assertThat(accounts.parked("orders/award-points", "handling-failed"))
                  .isEqualTo(failed + 1);
            });
  }

  @Test
  void parksAMessageWhoseTransactionDoesNotCommitAndGoesOn() {
    int failed = accounts.parked("closures/close-account", "handling-failed");
    for (String name : List.of("marked", "late", customer)) {
      producer.send("closures", "", "{\"customer\":\"%s\"}".formatted(name));
    }
    await()
        .untilAsserted(
            () -> {
              assertThat(accounts.of(customer)).isEqualTo(1);
              assertThat(accounts.parked("closures/close-account", "handling-failed"))
                  .isEqualTo(failed + 2);
            });
    assertThat(accounts.of("marked") + accounts.of("late")).isZero();
  }

  @Test
  void losesNothingAndRepeatsNothingWhileMembersJoinAndLeave() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 200; i++) {
        producer.send("orders", customer + "-" + i, order(customer, 100));
      }
      joinAndLeave();
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(200));
    producer.send("orders", customer + "-last", order(customer, 100));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(201));
  }

  /** Takes partitions over, reads from them, and commits nothing. */
  private void joinAndLeave() {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", kafka,
            "group.id", "points",
            "enable.auto.commit", "false",
            "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> member =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      member.subscribe(List.of("orders"));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                member.poll(Duration.ofMillis(100));
                return !member.assignment().isEmpty();
              });
    }
  }

  @Test
  void givesAMethodThatTakesAListWhatHasArrived() {
    for (int i = 0; i < 300; i++) {
      producer.send("visits", "", "{\"customer\":\"%s\"}".formatted(customer));
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(300));
  }

  static String order(String customer, int amount) {
    return "{\"orderId\":\"%s\",\"customer\":\"%s\",\"amount\":%d}"
        .formatted(new UUID(1, amount), customer, amount);
  }
}
