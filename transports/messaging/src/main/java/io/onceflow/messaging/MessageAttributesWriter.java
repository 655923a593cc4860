package io.onceflow.messaging;

/**
 * Has a connector send the attributes of a message. Those for RabbitMQ's and Kafka's connectors are
 * there; for another connector whose channels have an {@link OutboxEmitter} the application has a
 * bean of this type.
 */
public interface MessageAttributesWriter {

  /** The connector's name, such as {@code smallrye-amqp}. */
  String connector();

  /**
   * The connector's metadata of an outgoing message.
   *
   * @param attributes with a message-id, a type, and the header {@code content-type}; no position
   */
  Object write(MessageAttributes attributes);
}
