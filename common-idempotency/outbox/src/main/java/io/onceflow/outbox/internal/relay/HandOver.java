package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;

/** Who publishes the messages that this process commits, before the relays that read the table. */
public interface HandOver {

  /** How long a row that is now written is to be left to it; zero when it takes none. */
  Duration grace();

  /**
   * Takes committed messages, or leaves them.
   *
   * @param until {@link System#nanoTime()} from which on any relay may publish them
   */
  void offer(List<OutboxMessage> messages, long until);

  /**
   * Whether rows stay until they are published; otherwise they are deleted in the transaction that
   * writes them, since the log has them.
   */
  default boolean keepsRows() {
    return true;
  }
}
