package io.onceflow.systemtests;

import java.util.Collection;

/** The broker, as a client with its password sees it. */
interface Broker extends AutoCloseable {

  /** Sees every message from now on that an exchange routes by one of these keys. */
  Tap tap(String exchange, String... routingKeys);

  /** Sees from now on what comes by itself, and leaves packs to others; on RabbitMQ only. */
  default Tap tapSingles(String exchange, String routingKey) {
    throw new UnsupportedOperationException("this broker has no bindings");
  }

  /** Publishes a message as it is. */
  void publish(Message message);

  /** Publishes each of them so many times, one round after the other, and has it confirmed. */
  void publishAgain(int times, Collection<Message> messages);

  /**
   * How many messages wait in a queue. On RabbitMQ, those that a consumer has in its hands are not
   * among them.
   */
  long waiting(String queue);

  /** Has a queue get what an exchange routes by this key; on RabbitMQ only. */
  default void bind(String queue, String exchange, String routingKey) {
    throw new UnsupportedOperationException("this broker has no bindings");
  }

  /** Has a queue not get it any more; on RabbitMQ only. */
  default void unbind(String queue, String exchange, String routingKey) {
    throw new UnsupportedOperationException("this broker has no bindings");
  }

  /** Loses all messages that wait in a queue, and says how many these were. */
  long purge(String queue);

  @Override
  void close();
}
