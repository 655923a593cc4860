package io.onceflow.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.OutboxMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends commands and gets the answers, on a connection and a queue of its own. */
final class OrderServiceStandIn implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(30);

  final String replyTo = "test-" + UUID.randomUUID();
  private final List<Delivery> answers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean returned = new AtomicBoolean();
  private final Connection connection;
  private final Channel channel;

  private OrderServiceStandIn(Connection connection) throws IOException {
    this.connection = connection;
    channel = connection.createChannel();
    channel.exchangeDeclare(OutboxMessage.COMMANDS, BuiltinExchangeType.TOPIC, true);
    channel.exchangeDeclare(OutboxMessage.REPLIES, BuiltinExchangeType.TOPIC, true);
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, OutboxMessage.REPLIES, replyTo + ".payment-service");
    channel.basicConsume(queue, true, (tag, answer) -> answers.add(answer), tag -> {});
    channel.addReturnListener(unroutable -> returned.set(true));
    channel.confirmSelect();
  }

  static OrderServiceStandIn connect() throws IOException, TimeoutException {
    TestServers servers = TestServers.shared();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    return new OrderServiceStandIn(factory.newConnection("test"));
  }

  /** Sends; waits for the service to have its queue, which a fresh broker does not know yet. */
  void send(TestCommand command) {
    await().pollDelay(Duration.ZERO).atMost(SOON).until(() -> arrives(command));
  }

  /** Sends the same command so many times, as fast as the broker takes it. */
  void flood(TestCommand command, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      channel.basicPublish(
          OutboxMessage.COMMANDS,
          command.routingKey(),
          command.properties(replyTo),
          command.body());
    }
    channel.waitForConfirmsOrDie(SOON.toMillis());
  }

  /** All answers to this command's saga that have come so far. */
  List<Delivery> answersTo(TestCommand command) {
    return answers.stream()
        .filter(answer -> command.sagaId().equals(answer.getProperties().getCorrelationId()))
        .toList();
  }

  /** Waits until the saga of this command has so many answers. */
  List<Delivery> awaitAnswers(int count, TestCommand command) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answersTo(command)).hasSizeGreaterThanOrEqualTo(count));
    return answersTo(command);
  }

  /** Sends and waits for the answer. */
  Delivery ask(TestCommand command) {
    int before = answersTo(command).size();
    send(command);
    return awaitAnswers(before + 1, command).getLast();
  }

  static String body(Delivery answer) {
    return new String(answer.getBody(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    connection.abort(1_000);
  }

  private boolean arrives(TestCommand command) throws IOException, InterruptedException {
    returned.set(false);
    channel.basicPublish(
        OutboxMessage.COMMANDS,
        command.routingKey(),
        true,
        command.properties(replyTo),
        command.body());
    return channel.waitForConfirms() && !returned.get();
  }
}
