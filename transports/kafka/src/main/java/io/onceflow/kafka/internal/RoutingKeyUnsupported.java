package io.onceflow.kafka.internal;

import io.onceflow.core.internal.OnceflowException;

/** A queue that would have to read a part of a topic. */
final class RoutingKeyUnsupported extends OnceflowException {

  private static final long serialVersionUID = 1L;

  RoutingKeyUnsupported(String queue, String pattern) {
    super(
        ("on Kafka a queue takes all messages of a topic, and a topic is named by the first word"
                + " of their routing keys: %s has to be bound by that word followed by \".#\", and"
                + " is bound by \"%s\"")
            .formatted(queue, pattern));
  }
}
