package io.onceflow.benchmarks.saga.report;

import java.util.Locale;

/**
 * What a figure shall be.
 *
 * @param limit in the figure's own unit
 * @param isLeast whether it shall be at least the limit; otherwise at most
 */
public record Target(double limit, boolean isLeast) {

  /** A figure shall be that much or more. */
  public static Target atLeast(double limit) {
    return new Target(limit, true);
  }

  /** A figure shall be that much or less. */
  public static Target atMost(double limit) {
    return new Target(limit, false);
  }

  /** Whether the figure will do; what was not measured will not. */
  boolean isMetBy(double value) {
    return isLeast ? value >= limit : value <= limit;
  }

  /** Such as {@code >= 2.0}. */
  @Override
  public String toString() {
    String number =
        limit == Math.rint(limit) && limit >= 10
            ? String.format(Locale.ROOT, "%,.0f", limit)
            : Double.toString(limit);
    return (isLeast ? ">= " : "<= ") + number;
  }
}
