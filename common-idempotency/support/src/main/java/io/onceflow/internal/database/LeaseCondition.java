package io.onceflow.internal.database;

import java.time.Duration;

/**
 * When a lease is over: its end has passed, or is later than the end of any lease that starts now.
 * The latter was written while PostgreSQL's clock was ahead; the row would wait for as long as the
 * clock was set back. An owner that still works on it is fenced off (rule 4).
 */
public final class LeaseCondition {

  /** So much longer may the leases of another replica be, such as by its configuration. */
  public static final Duration MARGIN = Duration.ofMinutes(1);

  private LeaseCondition() {}

  /**
   * As a condition of SQL.
   *
   * @param end the column
   * @param longest how long a lease is at most, an interval
   */
  public static String isOver(String end, String longest) {
    return "(%1$s < now() OR %1$s > now() + %2$s + interval '%3$s')"
        .formatted(end, longest, MARGIN);
  }

  /**
   * Of a lease that was read.
   *
   * @param left until its end
   * @param longest how long a lease is at most
   */
  public static boolean isOver(Duration left, Duration longest) {
    return !left.isPositive() || left.compareTo(longest.plus(MARGIN)) > 0;
  }
}
