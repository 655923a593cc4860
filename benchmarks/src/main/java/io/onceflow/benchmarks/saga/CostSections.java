package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.quickstart.servers.Credentials;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a saga costs, a column for each closed loop.
 *
 * @param runs the closed loops
 * @param costs what a saga cost in each of them
 */
record CostSections(List<ClosedRun> runs, List<SagaCost> costs) {

  private static final String GENERATOR = "load generator";
  private static final double BYTES_IN_MIB = 1 << 20;

  /**
   * Processor time and memory, a line for each process.
   *
   * @param peaks the most memory that each part held, in bytes
   */
  Section processes(Map<String, Long> peaks) {
    Set<String> parts = new LinkedHashSet<>();
    costs.forEach(cost -> parts.addAll(cost.cpuMillis().keySet()));
    List<ReportRow> rows = new ArrayList<>();
    for (String part : parts) {
      rows.add(
          process(part, peaks.get(part), cost -> cost.cpuMillis().getOrDefault(part, Double.NaN)));
    }
    rows.add(process("all of them", null, SagaCost::totalCpuMillis));
    rows.add(process("of which compilers", null, SagaCost::compilerMillis));
    List<Cell> generator = new ArrayList<>();
    runs.forEach(run -> generator.add(cpu(run, run.generatorMsPerSaga())));
    generator.add(Cell.of("peakMiB", Double.NaN, 0));
    rows.add(new ReportRow("loadGenerator", GENERATOR, generator));
    List<String> columns = columns("", "CPU ms per saga, ");
    columns.add("peak resident MiB");
    return new Section(
        "cpu",
        "Processor time per saga, and memory",
        "Descendants count in. PostgreSQL's shared memory counts once. Other systems than Linux"
            + " do not tell. Compilers are those of the services' JVMs, which compile at run time: what is left"
            + " of them goes away with time.",
        columns,
        rows);
  }

  private ReportRow process(String part, @Nullable Long peak, ToDoubleFunction<SagaCost> millis) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      cells.add(cpu(runs.get(i), millis.applyAsDouble(costs.get(i))));
    }
    cells.add(Cell.of("peakMiB", peak == null ? Double.NaN : peak / BYTES_IN_MIB, 0));
    return new ReportRow(part, part, cells);
  }

  private static Cell cpu(ClosedRun run, double millis) {
    return Cell.of("cpuMsWith" + run.clients(), millis, 3);
  }

  /** Everything else, on average over a run. */
  Section counts() {
    List<ReportRow> rows = new ArrayList<>();
    rows.add(count("walBytes", "WAL bytes", 0, SagaCost::walBytes));
    rows.add(count("writing", "transactions that write", 2, SagaCost::writingTransactions));
    for (String database : Credentials.DATABASES) {
      rows.add(
          count("commits." + database, "commits, " + database, 2, of(database, SagaCost::commits)));
    }
    for (String database : Credentials.DATABASES) {
      rows.add(
          count(
              "statements." + database,
              "statements, " + database,
              2,
              of(database, SagaCost::statements)));
    }
    rows.add(
        count("messages", "messages to the broker", 2, cost -> cost.messages().orElse(Double.NaN)));
    return new Section(
        "cost",
        "What else a saga costs",
        "Commits count transactions that only read, and polls of idle threads, too.",
        columns("per saga", ""),
        rows);
  }

  private static ToDoubleFunction<SagaCost> of(
      String database, Function<SagaCost, Map<String, Double>> counts) {
    return cost -> counts.apply(cost).getOrDefault(database, Double.NaN);
  }

  private ReportRow count(
      String key, String label, int decimals, ToDoubleFunction<SagaCost> value) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      cells.add(
          Cell.of("with" + runs.get(i).clients(), value.applyAsDouble(costs.get(i)), decimals));
    }
    return new ReportRow(key, label, cells);
  }

  private List<String> columns(String first, String prefix) {
    List<String> columns = new ArrayList<>(List.of(first));
    runs.forEach(run -> columns.add(prefix + run.clients() + " clients"));
    return columns;
  }
}
