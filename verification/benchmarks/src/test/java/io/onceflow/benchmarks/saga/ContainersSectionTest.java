package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.saga.ContainersSection.Result;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ContainersSectionTest {

  private static final Result PROCESSES = result(List.of(900.0, 1000.0, 2000.0), 0.5, 300);

  @Test
  void comparesMediansAndMeetsItsTargetAtNineTenths() {
    assertThat(reported(result(List.of(100.0, 900.0, 950.0), 0.25, 600)))
        .containsSubsequence("sagas/s, 128 clients", "1,000", "900", "0.90", "met: >= 0.9")
        .containsSubsequence("order-service, CPU ms per saga", "0.500", "0.250", "0.50")
        .containsSubsequence("order-service, peak resident MiB", "300", "600", "2.00");
  }

  @Test
  void missesItsTargetBelowThat() {
    assertThat(reported(result(List.of(899.0), 0.5, 300))).contains("TARGET MISSED: >= 0.9");
  }

  private static String reported(Result containers) {
    return Markdown.of(
        new Report(
            Instant.EPOCH,
            Map.of(),
            List.of(new ContainersSection(128, PROCESSES, containers).section()),
            List.of()));
  }

  private static Result result(List<Double> rates, double cpuMillis, long mebibytes) {
    SagaCost cost =
        new SagaCost(
            1,
            Map.of("order-service", cpuMillis),
            0,
            Map.of(),
            0,
            Map.of(),
            Map.of(),
            Map.of(),
            OptionalDouble.empty());
    return new Result(
        rates,
        List.of(cost),
        Map.of("order-service", Duration.ofSeconds(2)),
        Map.of("order-service", mebibytes << 20));
  }
}
