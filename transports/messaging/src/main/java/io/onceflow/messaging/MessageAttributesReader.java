package io.onceflow.messaging;

import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Reads the attributes of the messages of a connector. Those of RabbitMQ's and Kafka's connectors
 * are there; for another connector the application has a bean of this type.
 */
public interface MessageAttributesReader {

  /** What the connector says about a message; empty when it is another connector's. */
  Optional<MessageAttributes> read(Message<?> message);
}
