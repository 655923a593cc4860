package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table.
 *
 * @param hasTargets whether ratios are judged: the targets are meant for RabbitMQ
 */
record TransportsSection(TransportsPlan plan, List<TransportResult> results, boolean hasTargets) {

  Section section() {
    List<String> columns = new ArrayList<>(List.of("transport"));
    for (int clients : TransportsPlan.CLIENTS) {
      columns.add("sagas/s, %d clients".formatted(clients));
      columns.add("of native");
      columns.add("CPU ms per saga");
      columns.add("WAL kB per saga");
    }
    columns.addAll(List.of("alone p50 ms", "p99", "at a quarter of its rate p50 ms", "p99"));
    return new Section(
        "transports",
        "The same saga on each transport",
        note(),
        columns,
        results.stream().map(this::row).toList());
  }

  private String note() {
    return "One after the other, each with servers of its own. Rounds: %d of %d s, of which the medians are shown. CPU: the services, PostgreSQL and the broker, without the load generator. Alone: %d sagas, one at a time. The last columns: orders that arrive at a quarter of the rate with %d clients. Times are until CONFIRMED."
        .formatted(
            plan.rounds(),
            plan.each().length().toSeconds(),
            plan.each().alone(),
            TransportsPlan.CLIENTS.getFirst());
  }

  private ReportRow row(TransportResult result) {
    List<Cell> cells = new ArrayList<>();
    for (int clients : TransportsPlan.CLIENTS) {
      cells.add(Cell.of("sagasPerSecond" + clients, result.rate(clients), 0));
      cells.add(ofNative(result, clients));
      cells.add(Cell.of("cpuMs" + clients, result.cpuMs(clients), 2));
      cells.add(Cell.of("walKb" + clients, result.walKb(clients), 1));
    }
    cells.add(Cell.of("aloneP50Ms", result.alone().p50(), 1));
    cells.add(Cell.of("aloneP99Ms", result.alone().p99(), 1));
    cells.add(Cell.of("quarterP50Ms", result.quarter().p50(), 1));
    cells.add(Cell.of("quarterP99Ms", result.quarter().p99(), 1));
    return new ReportRow(result.transport().key(), result.transport().label(), cells);
  }

  private Cell ofNative(TransportResult result, int clients) {
    String key = "ofNative" + clients;
    TransportResult other = measuredNative();
    if (other == null) {
      return Cell.of(key, Double.NaN, 2);
    }
    return Cell.of(key, result.rate(clients) / other.rate(clients), 2)
        .shallBe(hasTargets ? result.transport().ofNative() : null);
  }

  private @Nullable TransportResult measuredNative() {
    return results.stream().filter(it -> it.transport() == Transport.NATIVE).findAny().orElse(null);
  }
}
