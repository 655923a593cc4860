package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxRow;

/**
 * A command whose step this process owns: for as long as its lease lasts, and only under its token.
 *
 * @param command what is to be done
 * @param row the inbox row with the fencing token under which the result may be written
 * @param leaseEndsAt about when the lease ends, by {@link ParticipantDependencies#ticker()}; the
 *     database decides
 * @param <S> the business row
 */
public record LeasedCommand<S>(ResolvedCommand<?, S> command, InboxRow row, long leaseEndsAt) {

  public boolean isLeaseNearlyOver(long nowNanos, long needNanos) {
    return leaseEndsAt - nowNanos < needNanos;
  }
}
