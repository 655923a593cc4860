package io.onceflow.inbox.internal.participant;

import io.onceflow.participant.Answer.Rejection;
import java.time.Clock;
import java.util.Optional;

/**
 * When a step that is under way is given up on (rules 8 and 11). Only an action that expires some
 * day is: one without {@code x-expires-at}, and a compensation, is wanted until it is done.
 *
 * @param mostAttempts calls that are made at most, unless the handler says otherwise
 * @param clock by which commands expire
 */
record ExpiryPolicy(int mostAttempts, Clock clock) {

  /**
   * Why the attempt that a step was taken over for is not made; empty when it is. The row counts
   * that attempt already, so that one means that no call was ever made.
   */
  Optional<Rejection> insteadOfAnAttempt(LeasedCommand<?> step) {
    int attempts = step.row().attempts();
    if (step.command().isExpired(clock.instant())) {
      return Optional.of(attempts > 1 ? Rejection.UNAVAILABLE : Rejection.EXPIRED);
    }
    return step.command().isGivenUpSomeDay() && attempts > mostAttempts(step)
        ? Optional.of(Rejection.UNAVAILABLE)
        : Optional.empty();
  }

  /** Whether the attempt that has just failed was the last. */
  boolean wasLastAttempt(LeasedCommand<?> step) {
    return step.command().isGivenUpSomeDay()
        && (step.row().attempts() >= mostAttempts(step)
            || step.command().isExpired(clock.instant()));
  }

  private int mostAttempts(LeasedCommand<?> step) {
    return step.command().handler().callAttempts().orElse(mostAttempts);
  }
}
