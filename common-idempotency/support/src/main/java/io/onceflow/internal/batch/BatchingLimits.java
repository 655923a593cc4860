package io.onceflow.internal.batch;

import java.time.Duration;

/**
 * How long callers of a {@link RequestBatcher} wait, and how many rounds run at once.
 *
 * @param overtakeAfter after this time another round begins beside one that is still running, with
 *     the waiting items and with those of the running one
 * @param deadline how long a caller waits in all for a round that another caller runs
 * @param rounds that may run at once, including those that hang
 */
public record BatchingLimits(Duration overtakeAfter, Duration deadline, int rounds) {

  /** Four hanging connections at once do not stop the fifth round. */
  private static final int MOST_ROUNDS = 5;

  /** Limits with the usual number of rounds. */
  public static BatchingLimits of(Duration overtakeAfter, Duration deadline) {
    return new BatchingLimits(overtakeAfter, deadline, MOST_ROUNDS);
  }

  /** For work that takes some milliseconds: overtaken after 0.3 s, given up after 5 s. */
  public static BatchingLimits usual() {
    return of(Duration.ofMillis(300), Duration.ofSeconds(5));
  }
}
