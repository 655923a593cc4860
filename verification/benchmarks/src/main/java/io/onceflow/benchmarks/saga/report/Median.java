package io.onceflow.benchmarks.saga.report;

import java.util.Arrays;
import java.util.Collection;

/** The value in the middle. */
public final class Median {

  private Median() {}

  /** NaN of no values; the mean of the two in the middle of an even number. */
  public static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The same of a collection. */
  public static double of(Collection<Double> values) {
    return of(values.stream().mapToDouble(it -> it).toArray());
  }
}
