package io.onceflow.internal.retention;

import java.time.Duration;

/**
 * Rows that have expired and are still there.
 *
 * @param rows how many, counted up to {@link #COUNTED}
 * @param oldest for how long the oldest of them has been due; zero when there are none
 */
public record Backlog(long rows, Duration oldest) {

  /** Counting stops here, which keeps it cheap. */
  public static final int COUNTED = 10_000;

  public static final Backlog NONE = new Backlog(0, Duration.ZERO);
}
