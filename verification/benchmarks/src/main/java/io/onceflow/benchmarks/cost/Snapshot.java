package io.onceflow.benchmarks.cost;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * Counters at one moment. They only grow.
 *
 * @param seconds by a clock of this JVM
 * @param cpuMillis by part; without those that cannot be seen
 * @param compilerMillis of the just-in-time compilers among them; NaN where they cannot be seen
 * @param wakeUps by part, of the JVMs' threads; without those that cannot be seen
 * @param database of the database server
 * @param messages that the services' relays handed to the broker; empty if they have no such metric
 */
public record Snapshot(
    double seconds,
    Map<String, Double> cpuMillis,
    double compilerMillis,
    Map<String, Double> wakeUps,
    DatabaseCounts database,
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

  Snapshot with(DatabaseCounts counts, OptionalDouble relayed) {
    return new Snapshot(seconds, cpuMillis, compilerMillis, wakeUps, counts, relayed);
  }
}
