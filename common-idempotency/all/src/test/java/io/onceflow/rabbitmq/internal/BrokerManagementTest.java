package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.rabbitmq.internal.management.BrokerManagement;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** What RabbitMQ itself tells of foreign policies and missing bindings. Needs a container. */
@Timeout(180)
@Tag("nightly")
class BrokerManagementTest {

  private static final int AMQP_PORT = 5672;
  private static final int HTTP_PORT = 15672;

  private static final GenericContainer<?> RABBIT =
      new GenericContainer<>(DockerImageName.parse("rabbitmq:4-management"))
          .withExposedPorts(AMQP_PORT, HTTP_PORT)
          .withEnv("RABBITMQ_DEFAULT_USER", "onceflow")
          .withEnv("RABBITMQ_DEFAULT_PASS", "onceflow")
          .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1))
          .withStartupTimeout(Duration.ofMinutes(3));

  private final String service = "s" + UUID.randomUUID();
  private final RabbitQueue queue =
      new RabbitQueue(service + ".commands", "onceflow.commands", service + ".#");
  private BrokerConnection broker;
  private Connection connection;
  private Channel channel;

  @BeforeAll
  static void start() {
    assumeTrue(TestServers.shared().inContainers(), "needs RabbitMQ in a container");
    RABBIT.start();
  }

  @AfterAll
  static void stop() {
    RABBIT.stop();
  }

  @BeforeEach
  void bring() throws Exception {
    policy("onceflow", 0, "\"delivery-limit\":-1,\"max-length-bytes\":1000000,");
    broker =
        TestBrokers.of(
            RABBIT.getHost(), RABBIT.getMappedPort(AMQP_PORT), "onceflow", "onceflow", "/");
    connection = broker.connect("test");
    channel = connection.createChannel();
    queue.ensure(channel, broker.topology());
  }

  @AfterEach
  void close() throws Exception {
    rabbitmqctl("clear_policy", "foreign");
    connection.close();
    TestBrokers.close(broker);
  }

  @Test
  void aForeignPolicyAndAMissingBindingAreTold() throws Exception {
    try (BrokerManagement management = management("onceflow")) {
      await().atMost(Duration.ofSeconds(30)).until(() -> review(management).isEmpty());

      policy("foreign", 9, "\"message-ttl\":60000,");
      channel.queueUnbind(queue.deadLetters().name(), RabbitQueue.DEAD_LETTERS, queue.name());

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(review(management))
                      .contains(
                          "policy \"foreign\" drops messages that wait for 60000 ms (message-ttl)",
                          "queue %s.dead-letters is not bound to onceflow.dead-letters by %s"
                              .formatted(service, queue.name())));
    }
  }

  @Test
  void aUserWithoutTheTagIsToldWhatItNeeds() throws Exception {
    rabbitmqctl("add_user", service, "password");
    try (BrokerManagement management = management(service)) {
      assertThatThrownBy(() -> review(management))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("needs the tag management");
    }
  }

  /** Without the management API. A thousand commands expired, and no line named the policy. */
  @Test
  void aPolicyThatLetsMessagesExpireIsToldByWhatItDid() throws Exception {
    policy("foreign", 9, "\"message-ttl\":100,");
    DeadLetters letters = new DeadLetters(broker, queue, new TestConsumerConfig(8), new Ignoring());
    letters.start();
    try {
      channel.basicPublish("onceflow.commands", service + ".take", null, new byte[2]);

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> broker.topology().warnings().of(queue.name()).isPresent());
      assertThat(broker.topology().warnings().of(queue.name()).orElseThrow())
          .contains("message-ttl");
      HealthCheckResponse health = TestBrokers.health(broker);
      assertThat(health.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
      assertThat(health.getData().orElseThrow().get("queues").toString()).contains(queue.name());
    } finally {
      letters.close();
    }
  }

  /** Twenty were enough to send good commands to the dead letters. */
  @Test
  void lostChannelsSendNothingToTheDeadLetters() throws Exception {
    try (BrokerManagement management = management("onceflow")) {
      await().atMost(Duration.ofSeconds(30)).until(() -> review(management).isEmpty());
    }
    channel.basicPublish("onceflow.commands", service + ".take", null, new byte[2]);
    for (int lost = 0; lost < 25; lost++) {
      Channel losing = connection.createChannel();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> losing.basicGet(queue.name(), false) != null);
      losing.abort();
    }

    await().atMost(Duration.ofSeconds(30)).until(() -> channel.messageCount(queue.name()) == 1);
    assertThat(channel.messageCount(queue.deadLetters().name())).isZero();
    assertThat(channel.basicGet(queue.name(), true).getProps().getHeaders().get("x-delivery-count"))
        .isEqualTo(25L);
  }

  private List<String> review(BrokerManagement management) throws Exception {
    return management.review(queue.name(), queue.bindings());
  }

  private BrokerManagement management(String user) {
    return new BrokerManagement(
        URI.create("http://%s:%s/".formatted(RABBIT.getHost(), RABBIT.getMappedPort(HTTP_PORT))),
        user,
        user.equals("onceflow") ? "onceflow" : "password",
        "/",
        () -> null);
  }

  /** With what every policy of ours has. */
  private void policy(String name, int priority, String limits) throws Exception {
    rabbitmqctl(
        "set_policy",
        name,
        "^%s[.]commands$".formatted(service),
        "{%s\"overflow\":\"reject-publish\",\"dead-letter-strategy\":\"at-least-once\"}"
            .formatted(limits),
        "--priority",
        Integer.toString(priority),
        "--apply-to",
        "queues");
  }

  private static void rabbitmqctl(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = "rabbitmqctl";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    var result = RABBIT.execInContainer(command);
    assertThat(result.getExitCode() == 0 || arguments[0].equals("clear_policy"))
        .as(result.getStderr())
        .isTrue();
  }

  /** Takes dead letters and keeps none. */
  private static final class Ignoring implements BatchSettler {

    @Override
    public void settle(List<Delivery> batch) {}

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {}

    @Override
    public boolean redrive(Parked parked) {
      return false;
    }
  }
}
