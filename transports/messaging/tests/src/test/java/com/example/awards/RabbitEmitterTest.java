package com.example.awards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.points.Amqp;
import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same application, on RabbitMQ's connector. */
@Tag("nightly")
class RabbitEmitterTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      AwardsApplication.onRabbitMq("awards_on_rabbitmq")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.longest-backoff", "PT1S")
          .overrideRuntimeConfigKey("onceflow.outbox.relay.confirm-deadline", "PT2S");

  @Inject Grants grants;
  @Inject Balances balances;

  private String customer = "";

  @BeforeEach
  void name() {
    customer = UUID.randomUUID().toString();
  }

  @Test
  void sendsFromTheTransactionOfTheInbox() throws IOException {
    BasicProperties keyed =
        new BasicProperties.Builder().headers(Map.of("x-idempotency-key", customer)).build();
    try (Amqp broker = new Amqp()) {
      for (int i = 0; i < 5; i++) {
        broker.send("purchases", keyed, "{\"customer\":\"%s\",\"amount\":900}".formatted(customer));
      }
    }
    await().atMost(SOON).until(() -> congratulated() == 9);
    await().atMost(SOON).until(() -> balances.waiting(customer) == 0);
    assertThat(balances.of(customer)).isEqualTo(9);
    assertThat(balances.changes("congratulated " + customer)).isEqualTo(1);
  }

  /** What the connection that breaks has in flight is never answered by the connector. */
  @Test
  void goesOnWhereTheBrokerWasGone() throws IOException {
    grants.grant(customer, 1);
    await().atMost(SOON).until(() -> congratulated() == 1);
    TestServers.shared().stopBroker();
    for (int i = 0; i < 50; i++) {
      grants.grant(customer, 1);
    }
    await()
        .atMost(SOON)
        .until(() -> balances.number("SELECT max(attempts) FROM outbox_message") > 0);
    assertThat(balances.waiting(customer)).isEqualTo(50);
    TestServers.shared().startBroker();
    try (Amqp broker = new Amqp()) {
      broker.declare(AwardsApplication.QUEUES);
    }
    await().atMost(Duration.ofMinutes(2)).until(() -> congratulated() == 51);
    await().atMost(Duration.ofMinutes(2)).until(() -> balances.waiting(customer) == 0);
    assertThat(balances.changes("congratulated " + customer)).isEqualTo(51);
  }

  private int congratulated() {
    return balances.of("congratulated " + customer);
  }
}
