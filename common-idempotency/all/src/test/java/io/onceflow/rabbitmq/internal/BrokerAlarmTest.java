package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.BrokerShipping;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * RabbitMQ itself raises an alarm for want of memory: it says so to those who publish, and reads
 * nothing more from them. Needs a container: no other broker has these alarms.
 */
@Timeout(180)
@Tag("nightly")
class BrokerAlarmTest {

  private static final int AMQP_PORT = 5672;

  private static final GenericContainer<?> RABBIT =
      new GenericContainer<>(DockerImageName.parse("rabbitmq:4-management"))
          .withExposedPorts(AMQP_PORT)
          .withEnv("RABBITMQ_DEFAULT_USER", "onceflow")
          .withEnv("RABBITMQ_DEFAULT_PASS", "onceflow")
          .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1))
          .withStartupTimeout(Duration.ofMinutes(3));

  private BrokerShipping shipping;

  @BeforeAll
  static void start() {
    assumeTrue(TestServers.shared().inContainers(), "needs RabbitMQ in a container");
    RABBIT.start();
  }

  @AfterAll
  static void stop() {
    RABBIT.stop();
  }

  @AfterEach
  void close() throws Exception {
    alarm(false);
    shipping.close();
  }

  @Test
  void nothingIsClaimedDuringAnAlarmAndAllIsPublishedAfterIt() throws Exception {
    BrokerConnection broker =
        TestBrokers.of(
            RABBIT.getHost(), RABBIT.getMappedPort(AMQP_PORT), "onceflow", "onceflow", "/");
    shipping = new BrokerShipping(broker);
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", Duration.ofMillis(50))));
    shipping.publishesDirectly();
    alarm(true);
    shipping.commit(events());
    await().until(() -> broker.blocked().isPresent());
    shipping.commit(events());
    await()
        .during(Duration.ofSeconds(3))
        .until(() -> DeafBrokerTest.longTransactions() == 0 && broker.blocked().isPresent());
    HealthCheckResponse health = TestBrokers.health(broker);
    assertThat(health.getStatus()).as("orders are taken").isEqualTo(HealthCheckResponse.Status.UP);
    assertThat(health.getData().orElseThrow()).containsKey("blocked");
    assertThat(BrokerShipping.rows()).isGreaterThanOrEqualTo(100);
    alarm(false);
    await().atMost(Duration.ofSeconds(60)).until(() -> BrokerShipping.rows() == 0);
    assertThat(broker.blocked()).isEmpty();
  }

  /** Events, which no queue has to be there for. */
  private OutboxMessage[] events() {
    return Stream.generate(shipping::event).limit(100).toArray(OutboxMessage[]::new);
  }

  private static void alarm(boolean isOn) throws Exception {
    RABBIT.execInContainer("rabbitmqctl", "set_vm_memory_high_watermark", isOn ? "0.00001" : "0.6");
  }
}
