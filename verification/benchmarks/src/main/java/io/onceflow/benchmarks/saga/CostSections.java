package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.WalCount;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.launcher.servers.Credentials;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a saga costs, alone and under load, and what the stack costs without any.
 *
 * @param columns in their order
 */
record CostSections(List<Column> columns) {

  private static final double BYTES_IN_MIB = 1 << 20;

  /**
   * A stretch that was measured.
   *
   * @param key such as {@code With8}
   * @param label for people
   * @param cost of a saga; of a second where there were none
   * @param generatorMs processor time of the load generator; NaN where it is not known
   */
  record Column(String key, String label, SagaCost cost, double generatorMs) {

    /** No sagas; what is counted is a second. */
    static Column idle(SagaCost perSecond) {
      return new Column("Idle", "idle, a second", perSecond, Double.NaN);
    }

    /** One saga after the other, without what the stack does when it is idle. */
    static Column alone(SagaCost cost, SagaCost idle) {
      return new Column("Alone", "a saga alone", cost.without(idle), Double.NaN);
    }

    /** A closed loop. */
    static Column of(ClosedRun run, SagaCost cost) {
      return new Column(
          "With" + run.clients(),
          "with %d clients".formatted(run.clients()),
          cost,
          run.generatorMsPerSaga());
    }

    private String counts() {
      return Character.toLowerCase(key.charAt(0)) + key.substring(1);
    }
  }

  /**
   * Processor time and memory, a line for each process.
   *
   * @param peaks the most memory that each part held, in bytes
   */
  Section processes(Map<String, Long> peaks) {
    Set<String> parts = new LinkedHashSet<>();
    columns.forEach(column -> parts.addAll(column.cost.cpuMillis().keySet()));
    List<ReportRow> rows = new ArrayList<>();
    for (String part : parts) {
      rows.add(
          process(
              part,
              part,
              peaks.get(part),
              column -> column.cost.cpuMillis().getOrDefault(part, Double.NaN)));
    }
    rows.add(process("all of them", "all of them", null, column -> column.cost.totalCpuMillis()));
    rows.add(
        process(
            "of which compilers",
            "of which compilers",
            null,
            column -> column.cost.compilerMillis()));
    rows.add(process("loadGenerator", "load generator", null, Column::generatorMs));
    List<String> heads = heads("", "CPU ms, ");
    heads.add("peak resident MiB");
    return new Section(
        "cpu",
        "Processor time per saga, and memory",
        "Descendants count in. PostgreSQL's shared memory counts once. Other systems than Linux"
            + " do not tell. Compilers are those of the services' JVMs, which compile at run time: what is left"
            + " of them goes away with time.",
        heads,
        rows);
  }

  private ReportRow process(
      String key, String label, @Nullable Long peak, ToDoubleFunction<Column> millis) {
    List<Cell> cells = new ArrayList<>();
    for (Column column : columns) {
      cells.add(Cell.of("cpuMs" + column.key, millis.applyAsDouble(column), 3));
    }
    cells.add(Cell.of("peakMiB", peak == null ? Double.NaN : peak / BYTES_IN_MIB, 0));
    return new ReportRow(key, label, cells);
  }

  /** Everything else. No machine's speed changes most of it. */
  Section counts() {
    List<ReportRow> rows = new ArrayList<>();
    rows.add(count("statements", "statements", 2, SagaCost::totalStatements));
    for (String database : Credentials.DATABASES) {
      rows.add(ofDatabase("statements", database, SagaCost::statements));
    }
    for (String database : Credentials.DATABASES) {
      rows.add(ofDatabase("commits", database, SagaCost::commits));
    }
    rows.add(count("walBytes", "WAL bytes", 0, SagaCost::walBytes));
    for (WalCount each : WalCount.values()) {
      rows.add(logged(each));
    }
    Set<String> parts = new TreeSet<>();
    columns.forEach(column -> parts.addAll(column.cost.wakeUps().keySet()));
    for (String part : parts) {
      rows.add(
          count(
              "wakeUps." + part,
              "threads woken, " + part,
              1,
              cost -> cost.wakeUps().getOrDefault(part, Double.NaN)));
    }
    rows.add(
        count("messages", "messages to the broker", 2, cost -> cost.messages().orElse(Double.NaN)));
    return new Section(
        "cost",
        "What else a saga costs",
        "Commits count transactions that only read too. Polls of idle threads are in all columns"
            + " but «a saga alone»: what the idle stack does meanwhile is taken off its statements,"
            + " commits and threads woken.",
        heads("per saga", ""),
        rows);
  }

  private ReportRow ofDatabase(
      String key, String database, Function<SagaCost, Map<String, Double>> counts) {
    return count(
        key + "." + database,
        key + ", " + database,
        2,
        cost -> counts.apply(cost).getOrDefault(database, Double.NaN));
  }

  private ReportRow count(
      String key, String label, int decimals, ToDoubleFunction<SagaCost> value) {
    List<Cell> cells = new ArrayList<>();
    for (Column column : columns) {
      cells.add(Cell.of(column.counts(), value.applyAsDouble(column.cost), decimals));
    }
    return new ReportRow(key, label, cells);
  }

  private ReportRow logged(WalCount what) {
    List<Cell> cells = new ArrayList<>();
    for (Column column : columns) {
      Double count = column.cost.wal().get(what);
      cells.add(
          count == null
              ? Cell.words(column.counts(), "needs pg_walinspect")
              : Cell.of(column.counts(), count, what.decimals()));
    }
    return new ReportRow(what.key(), what.label(), cells);
  }

  private List<String> heads(String first, String prefix) {
    List<String> heads = new ArrayList<>(List.of(first));
    columns.forEach(column -> heads.add(prefix + column.label));
    return heads;
  }
}
