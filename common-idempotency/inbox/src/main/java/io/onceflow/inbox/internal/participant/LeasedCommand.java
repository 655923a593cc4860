package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command whose step this process owns: for as long as its lease lasts, and only under its token.
 *
 * @param command what is to be done
 * @param row the inbox row with the fencing token under which the result may be written
 * @param leaseEndsAt about when the lease ends, by {@link ParticipantDependencies#ticker()}; the
 *     database decides
 * @param delivery of the command, to be acknowledged when its result is committed; null where the
 *     row holds the message
 * @param seen the subject's rows as the handler that calls out saw them; empty if that does not
 *     matter
 * @param <S> the business row
 */
public record LeasedCommand<S>(
    ResolvedCommand<?, S> command,
    InboxRow row,
    @Nullable Delivery delivery,
    long leaseEndsAt,
    List<S> seen) {

  LeasedCommand<S> seeing(List<S> rows) {
    return new LeasedCommand<>(command, row, delivery, leaseEndsAt, rows);
  }

  public boolean isLeaseNearlyOver(long nowNanos, long needNanos) {
    return leaseEndsAt - nowNanos < needNanos;
  }
}
