package io.onceflow.benchmarks.cost;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What one saga costs, on average over a measured stretch. Polls of idle threads are in it.
 *
 * @param seconds of the stretch
 * @param cpuMillis by part; without those that cannot be seen
 * @param compilerMillis of the just-in-time compilers among them; NaN where they cannot be seen
 * @param wakeUps by part, of the JVMs' threads; without those that cannot be seen
 * @param walBytes bytes of write-ahead log; NaN without a database server
 * @param wal what stands in it; empty without pg_walinspect
 * @param commits by database, those that only read included
 * @param statements by database; empty without pg_stat_statements
 * @param messages handed to the broker; empty if the services have no such metric
 */
public record SagaCost(
    double seconds,
    Map<String, Double> cpuMillis,
    double compilerMillis,
    Map<String, Double> wakeUps,
    double walBytes,
    Map<WalCount, Double> wal,
    Map<String, Double> commits,
    Map<String, Double> statements,
    OptionalDouble messages) {

  /**
   * The difference of two snapshots.
   *
   * @param wal what stands in the log between them
   * @param sagas how many were completed between them, more than none; or the seconds, for what one
   *     of them costs
   */
  static SagaCost between(
      Snapshot before, Snapshot after, Map<WalCount, Double> wal, double sagas) {
    return new SagaCost(
        (after.seconds() - before.seconds()) / sagas,
        perSaga(before.cpuMillis(), after.cpuMillis(), sagas),
        (after.compilerMillis() - before.compilerMillis()) / sagas,
        perSaga(before.wakeUps(), after.wakeUps(), sagas),
        (after.database().walBytes() - before.database().walBytes()) / sagas,
        perSaga(Map.of(), wal, sagas),
        perSaga(before.database().commits(), after.database().commits(), sagas),
        perSaga(before.database().statements(), after.database().statements(), sagas),
        perSaga(before.messages(), after.messages(), sagas));
  }

  /**
   * The same without what idle threads do meanwhile. They poll and write nothing: what the log
   * grows by without sagas is autovacuum's, which comes when it comes, so it is left as it is.
   *
   * @param idle what a second without sagas costs
   */
  public SagaCost without(SagaCost idle) {
    return new SagaCost(
        seconds,
        less(cpuMillis, idle.cpuMillis),
        compilerMillis - seconds * idle.compilerMillis,
        less(wakeUps, idle.wakeUps),
        walBytes,
        wal,
        less(commits, idle.commits),
        less(statements, idle.statements),
        messages);
  }

  /** Processor time of all parts together, in milliseconds. */
  public double totalCpuMillis() {
    return cpuMillis.values().stream().mapToDouble(it -> it).sum();
  }

  /** Statements of all databases together; NaN if they are not known. */
  public double totalStatements() {
    return total(statements);
  }

  /** Commits of all databases together; NaN if they are not known. */
  public double totalCommits() {
    return total(commits);
  }

  private static double total(Map<String, Double> counts) {
    return counts.isEmpty() ? Double.NaN : counts.values().stream().mapToDouble(it -> it).sum();
  }

  private Map<String, Double> less(Map<String, Double> all, Map<String, Double> idle) {
    Map<String, Double> rest = new TreeMap<>();
    all.forEach((key, value) -> rest.put(key, value - seconds * idle.getOrDefault(key, 0.0)));
    return rest;
  }

  private static <K extends Comparable<K>> Map<K, Double> perSaga(
      Map<K, Double> before, Map<K, Double> after, double sagas) {
    Map<K, Double> each = new TreeMap<>();
    after.forEach((key, value) -> each.put(key, (value - before.getOrDefault(key, 0.0)) / sagas));
    return each;
  }

  private static OptionalDouble perSaga(OptionalDouble before, OptionalDouble after, double sagas) {
    return before.isPresent() && after.isPresent()
        ? OptionalDouble.of((after.getAsDouble() - before.getAsDouble()) / sagas)
        : OptionalDouble.empty();
  }
}
