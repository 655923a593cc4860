package io.onceflow.systemtests.chaos.run;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.Unpacked;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ: all messages come to a separate durable queue. It reconnects when the broker comes
 * back.
 */
final class RabbitWire implements BrokerWire {

  private static final String QUEUE = "chaos.wiretap";
  private static final List<String> EXCHANGES = List.of(Message.COMMANDS, Message.REPLIES, EVENTS);

  private static final long CONFIRM_WITHIN_MS = 30_000;

  /** So many are published before their confirms are waited for. */
  private static final int AT_ONCE = 500;

  private final int port;
  private final Consumer<Message> heard;
  private @Nullable Connection connection;
  private @Nullable Channel publishing;
  private volatile boolean closed;

  /**
   * Listens from now on.
   *
   * @param port the broker's
   * @param heard gets each message, as it came
   */
  RabbitWire(int port, Consumer<Message> heard) throws IOException {
    this.port = port;
    this.heard = heard;
    try {
      channel();
    } catch (TimeoutException e) {
      throw new IOException("The broker does not answer", e);
    }
    Thread.ofPlatform().daemon().start(this::keepConnected);
  }

  private void keepConnected() {
    while (!closed) {
      try {
        channel();
        Pauses.of(200);
      } catch (IOException | TimeoutException e) {
        Pauses.of(500);
      }
    }
  }

  /** The channel for publishing, on a connection that listens, too. */
  private synchronized Channel channel() throws IOException, TimeoutException {
    Channel open = publishing;
    if (open != null && open.isOpen()) {
      return open;
    }
    if (connection != null) {
      connection.abort(500);
    }
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("localhost");
    factory.setPort(port);
    factory.setUsername(Credentials.BROKER_USER);
    factory.setPassword(Credentials.PASSWORD);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(5_000);
    Connection fresh = factory.newConnection("chaos");
    connection = fresh;
    listen(fresh.createChannel());
    Channel channel = fresh.createChannel();
    channel.confirmSelect();
    publishing = channel;
    return channel;
  }

  private void listen(Channel channel) throws IOException {
    channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
    for (String exchange : EXCHANGES) {
      channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
      channel.queueBind(QUEUE, exchange, "#");
    }
    channel.basicQos(500);
    channel.basicConsume(
        QUEUE,
        false,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, BasicProperties properties, byte[] body)
              throws IOException {
            hear(new Delivery(envelope, properties, body));
            channel.basicAck(envelope.getDeliveryTag(), false);
          }
        });
  }

  private void hear(Delivery delivery) throws IOException {
    Envelope envelope = delivery.getEnvelope();
    Message whole =
        new Message(
            envelope.getExchange(),
            envelope.getRoutingKey(),
            delivery.getProperties(),
            delivery.getBody());
    Unpacked.of(whole).forEach(heard);
  }

  @Override
  public synchronized long waiting(String queue) {
    try (Channel own = open().createChannel()) {
      return own.messageCount(queue);
    } catch (IOException | TimeoutException e) {
      return -1;
    }
  }

  @Override
  public synchronized long purge(String queue) throws IOException {
    try (Channel own = open().createChannel()) {
      return own.queuePurge(queue).getMessageCount();
    } catch (TimeoutException e) {
      throw new IOException("The broker does not answer", e);
    }
  }

  @Override
  public void removeMembers(String queue) throws IOException {
    throw new IOException("RabbitMQ has no groups");
  }

  private Connection open() throws IOException, TimeoutException {
    return channel().getConnection();
  }

  @Override
  public void publish(List<Message> messages) throws IOException {
    try {
      Channel channel = channel();
      synchronized (channel) {
        for (int from = 0; from < messages.size(); from += AT_ONCE) {
          publish(channel, messages.subList(from, Math.min(messages.size(), from + AT_ONCE)));
        }
      }
    } catch (TimeoutException | RuntimeException e) {
      throw new IOException("The broker did not take them", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private static void publish(Channel channel, List<Message> messages)
      throws IOException, InterruptedException, TimeoutException {
    for (Message message : messages) {
      channel.basicPublish(
          message.exchange(), message.routingKey(), message.properties(), message.body());
    }
    channel.waitForConfirmsOrDie(CONFIRM_WITHIN_MS);
  }

  @Override
  public void close() {
    closed = true;
    if (connection != null) {
      connection.abort(1_000);
    }
  }
}
