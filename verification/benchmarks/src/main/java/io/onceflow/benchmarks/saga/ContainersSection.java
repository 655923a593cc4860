package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.Median;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.benchmarks.saga.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Services as processes and in containers, side by side. */
record ContainersSection(int clients, Result processes, Result containers) {

  /** Containers with their defaults shall do nearly what the launcher's processes do. */
  private static final Target NEARLY_AS_FAST = Target.atLeast(0.9);

  private static final double BYTES_IN_MIB = 1 << 20;

  /**
   * What was measured of one of the two.
   *
   * @param rates sagas per second of each run
   * @param costs what a saga cost in each run
   * @param startUps by service, until it was ready
   * @param peaks the most memory that each part held, in bytes
   */
  record Result(
      List<Double> rates,
      List<SagaCost> costs,
      Map<String, Duration> startUps,
      Map<String, Long> peaks) {

    private double rate() {
      return Median.of(rates);
    }

    private double cpuMillis(String part) {
      return Median.of(
          costs.stream().map(it -> it.cpuMillis().getOrDefault(part, Double.NaN)).toList());
    }

    private double startUpSeconds(String service) {
      return startUps.get(service).toMillis() / 1000.0;
    }

    private double peakMib(String service) {
      Long bytes = peaks.get(service);
      return bytes == null ? Double.NaN : bytes / BYTES_IN_MIB;
    }
  }

  Section section() {
    List<ReportRow> rows = new ArrayList<>();
    rows.add(
        row("sagas", "sagas/s, %d clients".formatted(clients), 0, Result::rate, NEARLY_AS_FAST));
    for (String service : containers.startUps().keySet()) {
      rows.add(
          row(
              "cpuMs." + service,
              service + ", CPU ms per saga",
              3,
              it -> it.cpuMillis(service),
              null));
    }
    for (String service : containers.startUps().keySet()) {
      rows.add(
          row(
              "startUp." + service,
              service + ", s until ready",
              1,
              it -> it.startUpSeconds(service),
              null));
      rows.add(
          row(
              "peakMiB." + service,
              service + ", peak resident MiB",
              0,
              it -> it.peakMib(service),
              null));
    }
    return new Section(
        "containers",
        "In containers",
        "Medians of %d runs, in turn; containers with the bounds of Docker Compose. Until ready with"
                .formatted(containers.rates().size())
            + " the migrations of an empty database.",
        List.of("", "processes", "containers", "containers ÷ processes"),
        rows);
  }

  private ReportRow row(
      String key,
      String label,
      int decimals,
      ToDoubleFunction<Result> figure,
      @Nullable Target ratio) {
    double process = figure.applyAsDouble(processes);
    double container = figure.applyAsDouble(containers);
    return ReportRow.of(
        key,
        label,
        Cell.of("processes", process, decimals),
        Cell.of("containers", container, decimals),
        Cell.of("ratio", container / process, 2).shallBe(ratio));
  }
}
