package io.onceflow.saga.internal.store.failure;

import java.time.Duration;

/**
 * How often a saga is tried whose handling fails.
 *
 * @param attempts after so many failures in a row it is in quarantine; at least 1
 * @param firstBackoff pause after the first failure; doubles each time
 * @param longestBackoff the longest pause
 */
public record FailurePolicy(int attempts, Duration firstBackoff, Duration longestBackoff) {

  /**
   * @throws IllegalArgumentException when a saga would never be tried
   */
  public FailurePolicy {
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "quarantine after %s failures: there must be at least one".formatted(attempts));
    }
  }
}
