package io.onceflow.systemtests;

import java.util.Collection;

/** The broker, as a client with its password sees it. */
interface Broker extends AutoCloseable {

  /** Sees every message from now on that an exchange routes by one of these keys. */
  Tap tap(String exchange, String... routingKeys);

  /** Publishes a message as it is. */
  void publish(Message message);

  /** Publishes each of them so many times, one round after the other, and has it confirmed. */
  void publishAgain(int times, Collection<Message> messages);

  /**
   * How many messages wait in a queue. On RabbitMQ, those that a consumer has in its hands are not
   * among them.
   */
  long waiting(String queue);

  /** Loses all messages that wait in a queue, and says how many these were. */
  long purge(String queue);

  @Override
  void close();
}
