package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.internal.transport.MessageBundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody at the other end of the broker, with a queue of their own. */
public final class Listener implements AutoCloseable {

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger bundles = new AtomicInteger();
  private final Connection connection;
  private final Channel channel;
  private final String queue;

  /** A message as it arrived. */
  public record Received(String routingKey, BasicProperties properties, byte[] body) {

    public String id() {
      return properties.getMessageId();
    }
  }

  public Listener() {
    TestServers servers = TestServers.shared();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    try {
      connection = factory.newConnection("listener");
      channel = connection.createChannel();
      queue = channel.queueDeclare().getQueue();
      channel.basicConsume(
          queue,
          true,
          new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(
                String tag, Envelope envelope, BasicProperties properties, byte[] body) {
              read(envelope.getRoutingKey(), properties, body);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From now on hears what is sent there under this key, also in bundles. */
  public Listener to(String exchange, String routingKey) {
    return singlyTo(exchange, routingKey).singlyTo(exchange, inBundles(routingKey));
  }

  /** From now on hears what is sent there under this key, each message by itself. */
  Listener singlyTo(String exchange, String routingKey) {
    try {
      channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
      channel.queueBind(queue, exchange, routingKey);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on does not hear bundles. */
  void noBundlesTo(String exchange, String routingKey) throws IOException {
    channel.queueUnbind(queue, exchange, inBundles(routingKey));
  }

  private static String inBundles(String routingKey) {
    return MessageBundle.KEY_PREFIX + routingKey;
  }

  private void read(String routingKey, BasicProperties properties, byte[] body) {
    if (!MessageBundle.isBundle(properties.getContentType())) {
      received.add(new Received(routingKey, properties, body));
      return;
    }
    bundles.incrementAndGet();
    for (MessageBundle.Bundled bundled : MessageBundle.decode(body)) {
      BasicProperties own =
          new BasicProperties.Builder()
              .messageId(bundled.messageId())
              .type(bundled.type())
              .correlationId(bundled.correlationId())
              .replyTo(bundled.replyTo())
              .headers(Map.copyOf(bundled.headers()))
              .build();
      received.add(new Received(MessageBundle.ownKey(routingKey), own, bundled.payload()));
    }
  }

  /** How many bundles have come; their messages are among the received. */
  public int bundles() {
    return bundles.get();
  }

  public List<Received> received() {
    return received;
  }

  public List<String> ids() {
    return received.stream().map(Received::id).toList();
  }

  @Override
  public void close() {
    connection.abort();
  }
}
