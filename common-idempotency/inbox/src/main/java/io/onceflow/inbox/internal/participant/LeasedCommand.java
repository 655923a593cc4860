package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.consumer.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * A command whose step this process owns: for as long as its lease lasts, and only under its token.
 *
 * @param command what is to be done
 * @param row the inbox row with the fencing token under which the result may be written
 * @param leaseEndsAt about when the lease ends, by {@link ParticipantDependencies#ticker()}; the
 *     database decides
 */
public record LeasedCommand(ResolvedCommand command, InboxRow row, long leaseEndsAt) {

  /**
   * The message that brought the command, to be acknowledged when its result is committed; null
   * where the row holds it.
   */
  public @Nullable Delivery held() {
    return row.envelope() == null ? command.delivery() : null;
  }

  public boolean isLeaseNearlyOver(long nowNanos, long needNanos) {
    return leaseEndsAt - nowNanos < needNanos;
  }
}
