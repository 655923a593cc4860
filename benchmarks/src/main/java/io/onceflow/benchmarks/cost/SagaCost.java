package io.onceflow.benchmarks.cost;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one saga costs, on average over a measured stretch. Polls of idle threads are in it.
 *
 * @param cpuMillis by part; without those that cannot be seen
 * @param compilerMillis of the just-in-time compilers among them; NaN where they cannot be seen
 * @param walBytes bytes of write-ahead log
 * @param writingTransactions transactions that wrote, in all databases
 * @param commits by database, those that only read included
 * @param statements by database; empty without pg_stat_statements
 * @param messages handed to the broker; empty if the services have no such metric
 * @param statementsByTime each statement per saga, the longest first
 */
public record SagaCost(
    Map<String, Double> cpuMillis,
    double compilerMillis,
    double walBytes,
    double writingTransactions,
    Map<String, Double> commits,
    Map<String, Double> statements,
    OptionalDouble messages,
    List<StatementCount> statementsByTime) {

  /**
   * The difference of two snapshots.
   *
   * @param sagas how many were completed between them, more than none
   */
  public static SagaCost between(Snapshot before, Snapshot after, long sagas) {
    List<StatementCount> statements = statements(before, after, sagas);
    return new SagaCost(
        perSaga(before.cpuMillis(), after.cpuMillis(), sagas),
        (after.compilerMillis() - before.compilerMillis()) / sagas,
        (after.walBytes() - before.walBytes()) / sagas,
        (after.writingTransactions() - before.writingTransactions()) / sagas,
        perSaga(before.commits(), after.commits(), sagas),
        statements.stream()
            .collect(
                Collectors.groupingBy(
                    StatementCount::database,
                    TreeMap::new,
                    Collectors.summingDouble(StatementCount::calls))),
        after.messages().isPresent() && before.messages().isPresent()
            ? OptionalDouble.of(
                (after.messages().getAsDouble() - before.messages().getAsDouble()) / sagas)
            : OptionalDouble.empty(),
        statements);
  }

  /** Processor time of all parts together, in milliseconds. */
  public double totalCpuMillis() {
    return cpuMillis.values().stream().mapToDouble(it -> it).sum();
  }

  private static Map<String, Double> perSaga(
      Map<String, Double> before, Map<String, Double> after, long sagas) {
    Map<String, Double> each = new TreeMap<>();
    after.forEach(
        (part, value) -> each.put(part, (value - before.getOrDefault(part, 0.0)) / sagas));
    return each;
  }

  private static List<StatementCount> statements(Snapshot before, Snapshot after, long sagas) {
    Map<String, StatementCount> known = new HashMap<>();
    before.statements().forEach(it -> known.put(it.database() + it.id(), it));
    return after.statements().stream()
        .map(
            it ->
                known.containsKey(it.database() + it.id())
                    ? it.minus(known.get(it.database() + it.id()))
                    : it)
        .filter(it -> it.calls() > 0)
        .map(it -> it.dividedBy(sagas))
        .sorted(Comparator.comparingDouble(StatementCount::millis).reversed())
        .toList();
  }
}
