package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decided before messages are written and kept until they are committed: whether this process
 * publishes them itself.
 *
 * @param handOver who takes them, or null: the rows are then due at once
 * @param grace how long the rows are left to this process
 * @param since {@link System#nanoTime()} before they were written
 */
public record PublishReservation(@Nullable HandOver handOver, Duration grace, long since) {

  static PublishReservation by(@Nullable HandOver handOver) {
    long since = System.nanoTime();
    Duration grace = handOver == null ? Duration.ZERO : handOver.grace();
    return new PublishReservation(grace.isZero() ? null : handOver, grace, since);
  }

  /** False when the rows are to be deleted in the transaction that writes them. */
  public boolean keepsRows() {
    return handOver == null || handOver.keepsRows();
  }

  /** Hands the messages over, once they are committed; false when the table's relays must look. */
  boolean committed(List<OutboxMessage> messages) {
    if (handOver == null) {
      return false;
    }
    handOver.offer(messages, since + grace.toNanos());
    return true;
  }
}
