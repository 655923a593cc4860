package io.onceflow.benchmarks.ceiling;

import java.util.Map;

/**
 * What PostgreSQL alone does.
 *
 * @param sagasPerSecond by the number of connections to each database
 * @param statements per saga
 * @param transactions per saga: one per step
 */
public record Ceiling(Map<Integer, Double> sagasPerSecond, int statements, int transactions) {

  /** The best of all, in sagas per second. */
  public double best() {
    return sagasPerSecond.values().stream().mapToDouble(it -> it).max().orElseThrow();
  }
}
