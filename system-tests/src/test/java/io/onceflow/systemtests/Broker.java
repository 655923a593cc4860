package io.onceflow.systemtests;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onceflow.quickstart.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.concurrent.TimeoutException;

/** The broker, as a client with its password sees it. */
final class Broker implements AutoCloseable {

  private static final long CONFIRM_WITHIN_MS = 60_000;

  private final Connection connection;
  private final Channel channel;

  private Broker(Connection connection) throws IOException {
    this.connection = connection;
    this.channel = connection.createChannel();
    channel.confirmSelect();
  }

  static Broker connect(TestServers servers) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    try {
      return new Broker(factory.newConnection("system-tests"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("The broker does not answer", e);
    }
  }

  /** Sees every message from now on that an exchange routes by one of these keys. */
  Tap tap(String exchange, String... routingKeys) {
    try {
      return Tap.on(connection.createChannel(), exchange, routingKeys);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Publishes a message as it is. */
  void publish(Message message) {
    try {
      channel.basicPublish(
          message.exchange(), message.routingKey(), message.properties(), message.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Publishes each of them so many times, one round after the other, and has it confirmed. */
  void publishAgain(int times, Collection<Message> messages) {
    for (int i = 0; i < times; i++) {
      messages.forEach(this::publish);
    }
    awaitConfirms();
  }

  /**
   * How many messages wait in a queue; those that a consumer has in its hands are not among them.
   */
  long waiting(String queue) {
    try {
      return channel.messageCount(queue);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loses all messages that wait in a queue, and says how many these were. */
  long purge(String queue) {
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
