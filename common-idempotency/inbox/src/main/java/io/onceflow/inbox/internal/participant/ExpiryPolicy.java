package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.participant.Answer.Rejection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a step that is under way times out (rules 8 and 11). Only an action that expires some day
 * is: one without {@code x-expires-at}, and a compensation, is wanted until it is done.
 *
 * <p>A step that is pending has a time of its own, counted from its first pending answer ({@code
 * x-await-within}): neither the command's expiry nor its attempts end it.
 *
 * @param mostAttempts calls that are made at most, unless the handler says otherwise
 * @param clock by which commands expire
 */
record ExpiryPolicy(int mostAttempts, Clock clock) {

  /**
   * The saga, which counts from when it was told, gives up first; its compensation ends the step.
   */
  static final Duration AWAIT_MARGIN = Duration.ofMinutes(10);

  /**
   * A lost event costs no more than this, and a handler that would look without a pause has one.
   */
  private static final Duration LONGEST_REST = Duration.ofHours(1);

  private static final Duration SHORTEST_REST = Duration.ofMillis(100);

  /**
   * Why the attempt that a step was taken over for is not made; empty when it is. The row counts
   * that attempt already, so that one means that no call was ever made.
   */
  Optional<Rejection> insteadOfAnAttempt(LeasedCommand step) {
    int attempts = step.row().attempts();
    if (step.row().isPending()) {
      return isAwaitOver(step) ? Optional.of(Rejection.UNAVAILABLE) : Optional.empty();
    }
    if (step.command().isExpired(clock.instant())) {
      return Optional.of(attempts > 1 ? Rejection.UNAVAILABLE : Rejection.EXPIRED);
    }
    return step.command().isGivenUpSomeDay() && attempts > mostAttempts(step)
        ? Optional.of(Rejection.UNAVAILABLE)
        : Optional.empty();
  }

  /** Whether the attempt that has just failed was the last. */
  boolean wasLastAttempt(LeasedCommand step) {
    if (step.row().isPending()) {
      return isAwaitOver(step);
    }
    return step.command().isGivenUpSomeDay()
        && (step.row().attempts() >= mostAttempts(step)
            || step.command().isExpired(clock.instant()));
  }

  /** For how long a step that was answered as pending is not looked at. */
  Duration rest(Duration lookAgainAfter) {
    if (lookAgainAfter.compareTo(SHORTEST_REST) < 0) {
      return SHORTEST_REST;
    }
    return lookAgainAfter.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : lookAgainAfter;
  }

  private boolean isAwaitOver(LeasedCommand step) {
    Instant end = awaitEnd(step.row(), step.command().message().awaitWithin());
    return step.command().isGivenUpSomeDay() && end != null && !end.isAfter(clock.instant());
  }

  private static @Nullable Instant awaitEnd(InboxRow row, @Nullable Duration within) {
    Instant since = row.pendingSince();
    return since == null || within == null ? null : since.plus(within).plus(AWAIT_MARGIN);
  }

  private int mostAttempts(LeasedCommand step) {
    return step.command().handler().callAttempts().orElse(mostAttempts);
  }
}
