package io.onceflow.inbox.internal.consumer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks the broker how a queue is. Only transports that can tell have a bean of it. */
public interface QueueDepths {

  /**
   * How a queue is.
   *
   * @param messages that wait and were given to no consumer
   * @param consumers of all replicas
   * @param warning what the broker does to messages that it must not do; null where nothing is
   *     known
   */
  record Depth(long messages, int consumers, @Nullable String warning) {}

  /**
   * Asks; may take seconds.
   *
   * @throws IOException when the broker does not tell
   */
  Depth of(String queue) throws IOException;
}
