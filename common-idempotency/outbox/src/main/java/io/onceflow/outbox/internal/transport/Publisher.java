package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Hands messages to a transport and says which of them it has taken for good. One publisher belongs
 * to one relay thread.
 */
public interface Publisher extends AutoCloseable {

  /**
   * Publishes all and waits until each is confirmed or refused, at most until the deadline.
   *
   * @param messages in the order in which they are to be published
   * @param deadline for all of them together
   * @return their outcome; a message in neither set is in doubt and must be resent
   * @throws IOException when the transport is unavailable; all messages are in doubt
   */
  Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException;

  /**
   * False while the transport has said that it takes no messages, such as RabbitMQ during an alarm;
   * none is claimed then.
   */
  default boolean isReady() {
    return true;
  }

  @Override
  void close();

  /**
   * The outcome of a batch.
   *
   * @param confirmed taken for good and routed
   * @param refused why, by id: returned as unroutable, or nacked
   */
  record Published(Set<UUID> confirmed, Map<UUID, String> refused) {}
}
