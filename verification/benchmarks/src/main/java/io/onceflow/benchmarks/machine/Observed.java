package io.onceflow.benchmarks.machine;

import java.util.List;

/**
 * What was seen of the application's database sessions in many looks during a run.
 *
 * @param busy sessions that ran a statement or held a transaction open
 * @param waiting sessions that waited for a lock, advisory locks included
 */
public record Observed(Series busy, Series waiting) {

  /** Counts, one for each look. */
  public record Series(double mean, int max) {

    static Series of(List<Integer> counts) {
      return new Series(
          counts.stream().mapToInt(it -> it).average().orElse(0),
          counts.stream().mapToInt(it -> it).max().orElse(0));
    }
  }
}
