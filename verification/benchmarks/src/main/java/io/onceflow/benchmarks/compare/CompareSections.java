package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.WalCount;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ComparePlot;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * Puts the comparison into tables.
 *
 * @param missing the reason for each peer that could not be measured
 */
record CompareSections(ComparePlan plan, List<PeerResult> results, Map<PeerName, String> missing) {

  private static final double BYTES_IN_KB = 1_000;

  List<Section> all() {
    List<Section> sections = new ArrayList<>();
    sections.add(rates());
    ratios().ifPresent(sections::add);
    sections.add(counts());
    sections.add(processes());
    sections.add(facts());
    if (!missing.isEmpty()) {
      sections.add(leftOut());
    }
    return sections;
  }

  /** A line for each peer. */
  private Section rates() {
    List<String> columns = new ArrayList<>(List.of("product"));
    plan.clients().forEach(it -> columns.add("sagas/s, " + it + " clients"));
    columns.addAll(List.of("alone p50 ms", "alone p99 ms"));
    plan.clients().forEach(it -> columns.add("CPU ms per saga, " + it));
    columns.add("WAL kB per saga");
    plan.clients()
        .forEach(it -> columns.addAll(List.of("to the end p50 ms, " + it, "p99 ms, " + it)));
    return new Section(
        ComparePlot.SECTION,
        "The same saga on each product",
        "Three steps, one saga in ten refused at the second and compensated; medians of %d rounds of %d s. Alone: one client, no refusals. CPU: all processes of the product, with the clients where they share its JVM. The clients of Onceflow wait for its answer and not for the saga's end, so for it the last columns are empty."
            .formatted(plan.rounds(), plan.length().toSeconds()),
        columns,
        results.stream().map(this::rate).toList());
  }

  private ReportRow rate(PeerResult result) {
    List<Cell> cells = new ArrayList<>();
    for (int clients : plan.clients()) {
      cells.add(Cell.of(ComparePlot.RATE + clients, result.sagasPerSecond(clients), 0));
    }
    cells.add(Cell.of(ComparePlot.ALONE_P50, result.aloneP50Ms(), 1));
    cells.add(Cell.of("aloneP99Ms", result.aloneP99Ms(), 1));
    for (int clients : plan.clients()) {
      cells.add(Cell.of(ComparePlot.CPU + clients, result.cpuMs(clients), 2));
    }
    cells.add(Cell.of("walKb", result.walBytes(plan.clients().getLast()) / BYTES_IN_KB, 1));
    for (int clients : plan.clients()) {
      cells.add(Cell.of("p50MsWith" + clients, result.p50Ms(clients), 1));
      cells.add(Cell.of("p99MsWith" + clients, result.p99Ms(clients), 1));
    }
    return new ReportRow(result.name().key(), result.name().label(), cells);
  }

  /** Onceflow over each of the others: the first of its forms. */
  private Optional<Section> ratios() {
    return results.stream()
        .filter(it -> it.name().isOnceflow())
        .filter(it -> results.size() > 1)
        .findFirst()
        .map(this::ratios);
  }

  private Section ratios(PeerResult onceflow) {
    List<String> columns = new ArrayList<>(List.of("Onceflow over"));
    plan.clients().forEach(it -> columns.add(it + " clients"));
    List<ReportRow> rows = new ArrayList<>();
    for (PeerResult result : results) {
      if (result != onceflow) {
        List<Cell> cells = new ArrayList<>();
        for (int clients : plan.clients()) {
          double ratio = onceflow.sagasPerSecond(clients) / result.sagasPerSecond(clients);
          cells.add(Cell.of("with" + clients, ratio, 2));
        }
        rows.add(new ReportRow(result.name().key(), result.name().label(), cells));
      }
    }
    return new Section("ratio", "Sagas per second, as a ratio", "", columns, rows);
  }

  private Section counts() {
    List<String> columns = new ArrayList<>(List.of("product", "statements", "WAL bytes"));
    for (WalCount what : WalCount.values()) {
      columns.add(what.label());
    }
    columns.addAll(List.of("idle: statements a second", "commits a second", "CPU ms a second"));
    return new Section(
        "counts",
        "What one saga alone costs, and an idle second",
        "One client, no refusals; without the statements of the idle product in the same time. Of"
            + " products with PostgreSQL; no machine's speed changes these.",
        columns,
        results.stream().map(CompareSections::counts).toList());
  }

  private static ReportRow counts(PeerResult result) {
    SagaCost cost = result.aloneCost();
    SagaCost idle = result.idle();
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of("statements", cost.totalStatements(), 2));
    cells.add(Cell.of("walBytes", cost.walBytes(), 0));
    for (WalCount what : WalCount.values()) {
      double count = cost.wal().getOrDefault(what, Double.NaN);
      cells.add(Cell.of(what.key(), count, what.decimals()));
    }
    cells.add(Cell.of("idleStatements", idle.totalStatements(), 1));
    cells.add(Cell.of("idleCommits", idle.totalCommits(), 1));
    cells.add(Cell.of("idleCpuMs", idle.totalCpuMillis(), 1));
    return new ReportRow(result.name().key(), result.name().label(), cells);
  }

  private Section processes() {
    List<String> columns = new ArrayList<>(List.of("process"));
    plan.clients().forEach(it -> columns.add("CPU ms per saga, " + it + " clients"));
    List<ReportRow> rows = new ArrayList<>();
    for (PeerResult result : results) {
      for (String part : result.parts()) {
        rows.add(process(result, part, clients -> result.cpuMs(clients, part)));
      }
      rows.add(process(result, "the benchmark", result::benchCpuMs));
    }
    return new Section(
        "cpu",
        "Processor time by process",
        "Medians. The benchmark's JVM has the clients of Onceflow and Restate; those of the others"
            + " are in the product's JVM.",
        columns,
        rows);
  }

  private ReportRow process(PeerResult result, String part, IntToDoubleFunction cpuMs) {
    List<Cell> cells = new ArrayList<>();
    for (int clients : plan.clients()) {
      cells.add(Cell.of("cpuMsWith" + clients, cpuMs.applyAsDouble(clients), 3));
    }
    return new ReportRow(
        result.name().key() + "." + part, result.name().label() + ": " + part, cells);
  }

  private Section facts() {
    return new Section(
        "does",
        "What each does in that time",
        "The simulated gateway and carrier are in memory for each of them. PostgreSQL is the same for"
            + " Onceflow and DBOS, with fsync and synchronous_commit; Restate's log is flushed to disk as it comes.",
        List.of(
            "product",
            "processes",
            "a saga starts by",
            "steps run",
            "on disk at the end",
            "participants deduplicate",
            "a client waits for"),
        plan.peers().stream().filter(it -> !missing.containsKey(it)).map(this::fact).toList());
  }

  private ReportRow fact(PeerName name) {
    PeerName.Facts facts = name.facts();
    return ReportRow.of(
        name.key(),
        name.label(),
        Cell.words("processes", facts.processes()),
        Cell.words("start", facts.start()),
        Cell.words("steps", facts.steps()),
        Cell.words("durable", facts.durable()),
        Cell.words("deduplicates", facts.deduplicates()),
        Cell.words("clientWaits", facts.clientWaits()));
  }

  private Section leftOut() {
    return new Section(
        "leftOut",
        "Not measured",
        "",
        List.of("product", "reason"),
        missing.entrySet().stream()
            .map(
                it ->
                    ReportRow.of(
                        it.getKey().key(),
                        it.getKey().label(),
                        Cell.words("reason", it.getValue().replace("|", "/").replace("\n", " "))))
            .toList());
  }
}
