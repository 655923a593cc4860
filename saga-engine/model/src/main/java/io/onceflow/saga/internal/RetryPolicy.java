package io.onceflow.saga.internal;

import io.onceflow.saga.Saga.SagaStatus;
import java.time.Duration;

/**
 * How often and at which intervals sagas resend messages.
 *
 * @param longestWait the cap of the doubling waits. A participant that was unavailable for hours
 *     answers within this time after its return; at one message per saga in five minutes, ten
 *     thousand waiting sagas cost 33 messages a second
 * @param stuckAfter how often a compensation, or a step past the pivot, is sent before the saga
 *     shows as {@link SagaStatus#STUCK}; at least 1
 * @param stuckWait how long a stuck saga waits between two attempts, instead of the doubling waits
 */
public record RetryPolicy(Duration longestWait, int stuckAfter, Duration stuckWait) {

  /** Stuck after about half an hour, and then two attempts an hour. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Duration.ofMinutes(5), 10, Duration.ofMinutes(30));

  /**
   * @throws IllegalArgumentException when sagas would be sent without a pause or never be sent
   */
  public RetryPolicy {
    if (longestWait.compareTo(Duration.ZERO) <= 0 || stuckWait.compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "waits of %s and %s: both must be positive".formatted(longestWait, stuckWait));
    }
    if (stuckAfter < 1) {
      throw new IllegalArgumentException(
          "stuck after %s attempts: there must be at least one".formatted(stuckAfter));
    }
  }
}
