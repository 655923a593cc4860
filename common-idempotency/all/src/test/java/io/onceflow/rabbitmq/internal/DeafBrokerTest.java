package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.test.internal.TestConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A broker that stops reading, as during an alarm, before it has said so: no transaction waits for
 * it, no thread hangs in a write, and all is published when it reads again. Seen red when the rows
 * were locked while they were published: a transaction stayed open for as long as the broker was
 * deaf.
 */
@Timeout(120)
@Tag("nightly")
class DeafBrokerTest {

  private static final Duration CONFIRM_DEADLINE = Duration.ofSeconds(1);

  private static final String IDLE_FOR_LONG =
      """
      SELECT count(*)
      FROM   pg_stat_activity
      WHERE  datname = current_database()
      AND    xact_start < clock_timestamp() - interval '0.5 s'
      AND    pid <> pg_backend_pid()
      """;

  private static final OutboxConfig CONFIG =
      TestConfig.outbox(
          Map.of(
              "relay.poll-interval",
              Duration.ofMillis(50),
              "relay.confirm-deadline",
              CONFIRM_DEADLINE,
              "relay.first-backoff",
              Duration.ofMillis(20),
              "relay.longest-backoff",
              Duration.ofMillis(100)));

  private final DeafBroker deaf = new DeafBroker(BrokerShipping.SERVERS);
  private final BrokerShipping shipping = new BrokerShipping(deaf.connection());
  private final Listener listener = new Listener().to(OutboxMessage.COMMANDS, shipping.to);

  @AfterEach
  void close() throws IOException {
    shipping.close();
    listener.close();
    deaf.close();
  }

  @Test
  void noTransactionWaitsForABrokerThatDoesNotRead() throws Exception {
    shipping.relay(CONFIG);
    shipping.publishesDirectly();
    deaf.stopReading();
    shipping.commitSilently(large());
    await().during(Duration.ofSeconds(4)).until(() -> longTransactions() == 0);
    deaf.readAgain();
    await().atMost(Duration.ofSeconds(60)).until(() -> BrokerShipping.rows() == 0);
    await().untilAsserted(() -> assertThat(Set.copyOf(listener.ids())).hasSize(300));
  }

  @Test
  void whatIsHandedOverGoesBackToTheTableWhenTheBrokerDoesNotRead() throws Exception {
    shipping.relay(CONFIG);
    shipping.publishesDirectly();
    deaf.stopReading();
    shipping.commit(large());
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> shipping.directPublishGrace().isZero() && longTransactions() == 0);
    deaf.readAgain();
    await().atMost(Duration.ofSeconds(60)).until(() -> BrokerShipping.rows() == 0);
    await().untilAsserted(() -> assertThat(Set.copyOf(listener.ids())).hasSize(300));
  }

  /** Each overdue confirm costs a connection; seen red with a thousand in four seconds. */
  @Test
  void theHandOverOpensAgainWithGrowingPausesWhenConfirmsAreOverdue() throws Exception {
    OutboxConfig patient =
        TestConfig.outbox(
            Map.of(
                "relay.threads",
                0,
                "relay.poll-interval",
                Duration.ofMillis(50),
                "relay.confirm-deadline",
                Duration.ofMillis(50),
                "relay.first-backoff",
                Duration.ofSeconds(30),
                "relay.longest-backoff",
                Duration.ofSeconds(60)));
    shipping.relay(patient);
    shipping.publishesDirectly();
    deaf.stopReading();
    shipping.commit(shipping.command());
    await().until(() -> shipping.directPublishGrace().isZero());
    deaf.readAgain();
    await().during(Duration.ofSeconds(2)).until(() -> shipping.directPublishGrace().isZero());
    assertThat(BrokerShipping.rows()).as("left to the relays that read the table").isEqualTo(1);
  }

  static long longTransactions() {
    return BrokerShipping.DATABASE.number(IDLE_FOR_LONG);
  }

  /** Twenty megabytes: more than the sockets' buffers hold. */
  private OutboxMessage[] large() {
    String payload = "{\"for\":\"" + "x".repeat(64 * 1024) + "\"}";
    return Stream.generate(() -> withPayload(payload)).limit(300).toArray(OutboxMessage[]::new);
  }

  private OutboxMessage withPayload(String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "shipment",
        UUID.randomUUID().toString(),
        "ArrangeShipment",
        payload,
        OutboxMessage.COMMANDS,
        shipping.to,
        "saga-1",
        "order-service",
        Map.of("x-idempotency-key", "5f0c"));
  }
}
