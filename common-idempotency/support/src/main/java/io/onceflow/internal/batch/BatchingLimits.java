package io.onceflow.internal.batch;

import java.time.Duration;

/**
 * How long callers of a {@link RequestBatcher} wait for one another.
 *
 * @param overtakeAfter a round that takes longer is overtaken: those who wait begin another beside
 *     it, and those who are in it are queued again
 * @param deadline how long a caller waits in all for a round led by another
 * @param rounds that may run at once, those included that hang
 */
public record BatchingLimits(Duration overtakeAfter, Duration deadline, int rounds) {

  /** Four connections that hang at once stop no more than themselves. */
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
