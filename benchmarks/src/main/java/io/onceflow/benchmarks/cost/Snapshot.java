package io.onceflow.benchmarks.cost;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Counters at one moment. They only grow.
 *
 * @param cpuMillis by part; without those that cannot be seen
 * @param compilerMillis of the just-in-time compilers among them; NaN where they cannot be seen
 * @param walBytes written by the whole database server
 * @param writingTransactions of the whole database server; counts everything that gets a
 *     transaction id
 * @param commits by database, those that only read included; up to a second old
 * @param statements by database and statement; empty without pg_stat_statements
 * @param messages that the services' relays handed to the broker; empty if they have no such metric
 */
public record Snapshot(
    Map<String, Double> cpuMillis,
    double compilerMillis,
    double walBytes,
    double writingTransactions,
    Map<String, Double> commits,
    List<StatementCount> statements,
    OptionalDouble messages) {

  /**
   * The compilers' share of all processor time since an earlier snapshot, from 0 to 1; NaN where it
   * is not known.
   */
  public double compilersShareSince(Snapshot earlier) {
    return (compilerMillis - earlier.compilerMillis) / (allCpuMillis() - earlier.allCpuMillis());
  }

  private double allCpuMillis() {
    return cpuMillis.values().stream().mapToDouble(it -> it).sum();
  }
}
