package io.onceflow.outbox.internal.cdc;

import io.onceflow.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;

/** Takes messages that are committed, to publish them and delete their rows. */
public interface CommittedMessages {

  /**
   * Takes the messages of one transaction, or some of them; waits for room.
   *
   * @param until {@link System#nanoTime()} from which on relays that read the table may have them
   * @return false when there is no room within that time
   */
  boolean take(List<OutboxMessage> messages, long until, Duration longest)
      throws InterruptedException;
}
