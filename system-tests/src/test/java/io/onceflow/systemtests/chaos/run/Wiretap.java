package io.onceflow.systemtests.chaos.run;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import io.onceflow.quickstart.servers.Credentials;
import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.Unpacked;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Receives all messages of the services in a separate durable queue, and can publish them again. It
 * reconnects when the broker comes back.
 */
final class Wiretap implements AutoCloseable {

  private static final String QUEUE = "chaos.wiretap";
  private static final String EVENTS = "onceflow.events";
  private static final List<String> EXCHANGES = List.of(Message.COMMANDS, Message.REPLIES, EVENTS);

  /** More is not kept, lest memory runs out; what is kept of it is drawn. */
  private static final int MOST_KEPT = 30_000;

  private static final long CONFIRM_WITHIN_MS = 30_000;

  /** So many are published before their confirms are waited for. */
  private static final int AT_ONCE = 500;

  private final int port;
  private final Random random;
  private final List<Heard> kept = new ArrayList<>();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private @Nullable Connection connection;
  private @Nullable Channel publishing;
  private volatile boolean closed;

  /** A message, and when it was heard. */
  record Heard(Instant at, Message message) {}

  /**
   * Listens from now on.
   *
   * @param port the broker's
   */
  Wiretap(int port, long seed) throws IOException {
    this.port = port;
    this.random = new Random(seed);
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
    for (Message message : Unpacked.of(whole)) {
      if (message.exchange().equals(EVENTS)) {
        told.add(message.type() + " " + Payloads.orderId(message));
      } else {
        keep(message);
      }
    }
  }

  private void keep(Message message) {
    if (String.valueOf(message.scope()).startsWith("chaos-")) {
      return;
    }
    Heard heard = new Heard(Instant.now(), message);
    synchronized (kept) {
      if (kept.size() < MOST_KEPT) {
        kept.add(heard);
      } else {
        kept.set(random.nextInt(MOST_KEPT), heard);
      }
    }
  }

  /** Commands and replies that were heard, in an order that the random decides, at most so many. */
  List<Message> some(int most, Random random) {
    List<Message> messages;
    synchronized (kept) {
      messages = new ArrayList<>(kept.stream().map(Heard::message).toList());
    }
    Collections.shuffle(messages, random);
    return messages.subList(0, Math.min(most, messages.size()));
  }

  /** What was heard about an order and is kept, oldest first. */
  List<Heard> about(String orderId) {
    synchronized (kept) {
      return kept.stream().filter(it -> it.message().payload().contains(orderId)).toList();
    }
  }

  /** Events, as {@code type order}. */
  Set<String> told() {
    return Set.copyOf(told);
  }

  /** How many messages wait in a queue for a consumer; -1 if there is no such queue. */
  synchronized long waiting(String queue) {
    try (Channel own = open().createChannel()) {
      return own.messageCount(queue);
    } catch (IOException | TimeoutException e) {
      return -1;
    }
  }

  /** Loses all that waits in a queue. */
  synchronized int purge(String queue) throws IOException, TimeoutException {
    try (Channel own = open().createChannel()) {
      return own.queuePurge(queue).getMessageCount();
    }
  }

  private Connection open() throws IOException, TimeoutException {
    return channel().getConnection();
  }

  /**
   * Publishes messages, and waits until the broker has them all.
   *
   * @throws IOException if it may not have all of them
   */
  void publish(List<Message> messages) throws IOException {
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
