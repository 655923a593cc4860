package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends the commands of one saga and collects the replies. */
public final class Orchestrator implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final String replyTo = "test-" + UUID.randomUUID();
  private final String root = "key-" + UUID.randomUUID();
  private final List<Delivery> replies = new CopyOnWriteArrayList<>();
  private final AtomicBoolean returned = new AtomicBoolean();
  private final Map<String, Object> headers;
  private final Connection connection;
  private final Channel channel;

  Orchestrator() throws Exception {
    this(Map.of());
  }

  /** Sends commands that have these headers as well. */
  public Orchestrator(Map<String, Object> more) throws Exception {
    headers = new HashMap<>(more);
    headers.put("x-idempotency-key", root);
    headers.put("x-idempotency-scope", "ada");
    headers.put("x-saga-origin", "trips/book-trip");
    TestServers servers = TestServers.shared();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    connection = factory.newConnection("test");
    channel = connection.createChannel();
    channel.exchangeDeclare("onceflow.commands", BuiltinExchangeType.TOPIC, true);
    channel.exchangeDeclare("onceflow.replies", BuiltinExchangeType.TOPIC, true);
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, "onceflow.replies", replyTo + ".#");
    channel.basicConsume(queue, true, (tag, reply) -> replies.add(reply), tag -> {});
    channel.addReturnListener(unroutable -> returned.set(true));
    channel.confirmSelect();
  }

  /** Sends a command and waits for one reply more; returns its type and outcome. */
  public String ask(String type, String routingKey, String body) {
    int before = replies.size();
    await().atMost(SOON).until(() -> arrives(type, routingKey, body));
    return awaitReply(before + 1);
  }

  /** Waits until so many replies have come; returns the last one's type and outcome. */
  public String awaitReply(int count) {
    await().atMost(SOON).untilAsserted(() -> assertThat(replies).hasSize(count));
    Delivery reply = replies.getLast();
    return reply.getProperties().getType()
        + " "
        + reply.getProperties().getHeaders().get("x-outcome");
  }

  /** Sends a command and waits until it is in a queue. */
  public void send(String type, String routingKey, String body) {
    await().atMost(SOON).until(() -> arrives(type, routingKey, body));
  }

  /** The root key of its saga. */
  String root() {
    return root;
  }

  /** How many replies have come. */
  int replies() {
    return replies.size();
  }

  String lastBody() {
    return new String(replies.getLast().getBody(), StandardCharsets.UTF_8);
  }

  String lastRoutingKey() {
    return replies.getLast().getEnvelope().getRoutingKey().replace(replyTo, "us");
  }

  private boolean arrives(String type, String routingKey, String body)
      throws IOException, InterruptedException {
    returned.set(false);
    BasicProperties properties =
        new BasicProperties.Builder()
            .type(type)
            .messageId(UUID.randomUUID().toString())
            .correlationId(UUID.randomUUID().toString())
            .replyTo(replyTo)
            .headers(headers)
            .build();
    channel.basicPublish(
        "onceflow.commands", routingKey, true, properties, body.getBytes(StandardCharsets.UTF_8));
    channel.waitForConfirms();
    return !returned.get();
  }

  @Override
  public void close() {
    connection.abort(1_000);
  }
}
