package io.onceflow.systemtests;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** RabbitMQ, or the embedded broker in its place. */
final class RabbitBroker implements Broker {

  private static final long CONFIRM_WITHIN_MS = 60_000;

  private final Connection connection;
  private final Channel channel;

  private RabbitBroker(Connection connection) throws IOException {
    this.connection = connection;
    this.channel = connection.createChannel();
    channel.confirmSelect();
  }

  static RabbitBroker connect(TestServers servers) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    try {
      return new RabbitBroker(factory.newConnection("system-tests"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("The broker does not answer", e);
    }
  }

  @Override
  public Tap tap(String exchange, String... routingKeys) {
    return listen(
        exchange,
        Stream.of(routingKeys).flatMap(key -> Stream.of(key, Unpacked.KEY_PREFIX + key)).toList());
  }

  @Override
  public Tap tapSingles(String exchange, String routingKey) {
    return listen(exchange, List.of(routingKey));
  }

  private Tap listen(String exchange, List<String> bindings) {
    try {
      return listen(connection.createChannel(), exchange, bindings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Tap listen(Channel channel, String exchange, List<String> bindings)
      throws IOException {
    Tap tap = new Tap();
    String queue = "tap-" + UUID.randomUUID();
    channel.queueDeclare(queue, false, true, true, Map.of());
    for (String binding : bindings) {
      channel.queueBind(queue, exchange, binding);
    }
    DeliverCallback take =
        (consumer, delivery) ->
            tap.hear(
                Unpacked.of(
                    new Message(
                        delivery.getEnvelope().getExchange(),
                        delivery.getEnvelope().getRoutingKey(),
                        delivery.getProperties(),
                        delivery.getBody())));
    channel.basicConsume(queue, true, take, consumer -> {});
    return tap;
  }

  @Override
  public void publish(Message message) {
    try {
      channel.basicPublish(
          message.exchange(), message.routingKey(), message.properties(), message.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void publishAgain(int times, Collection<Message> messages) {
    for (int i = 0; i < times; i++) {
      messages.forEach(this::publish);
    }
    awaitConfirms();
  }

  @Override
  public long waiting(String queue) {
    try {
      return channel.messageCount(queue);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void bind(String queue, String exchange, String routingKey) {
    try {
      channel.queueBind(queue, exchange, routingKey);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void unbind(String queue, String exchange, String routingKey) {
    try {
      channel.queueUnbind(queue, exchange, routingKey);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long purge(String queue) {
    try {
      return channel.queuePurge(queue).getMessageCount();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitConfirms() {
    try {
      channel.waitForConfirmsOrDie(CONFIRM_WITHIN_MS);
    } catch (IOException | TimeoutException e) {
      throw new IllegalStateException("The broker did not take all messages", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while messages were published", e);
    }
  }

  @Override
  public void close() {
    connection.abort(1_000);
  }
}
