package io.onceflow.messaging.once.internal;

import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;

/** How a connector is told that a message is settled. */
interface Acknowledgement {

  /** Tells it; may throw when that cannot be done any more. */
  void send();

  /** True once the connector delivers the message again, so that it can be acknowledged no more. */
  default boolean isLost() {
    return false;
  }

  /** By the message's own method; an error of the connector is the message's redelivery. */
  static Acknowledgement of(Message<?> message) {
    return () -> message.ack().exceptionally(failure -> null);
  }

  /** A connector whose messages must be acknowledged in another way. */
  interface Source {

    /** Empty for messages of another connector. */
    Optional<Acknowledgement> of(String channel, Message<?> message);
  }
}
