package io.onceflow.benchmarks.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.load.Measured;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Executions;
import io.onceflow.benchmarks.machine.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The report says what was measured, and what must not be. */
class GuardReportTest {

  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  @Test
  void hasALineForEachRun() {
    assertThat(report(result(Workload.HERD, 10, 10)).markdown())
        .contains("| processor | two hands |")
        .contains("| postgres | 1 | 16 | 5 | 3.0 | 3.0 |")
        .contains("| 2.5 / 4 | 0.5 / 1 | 10 | 10 |")
        .contains("Every key was executed once");
  }

  @Test
  void tellsOfAnExecutionTooMany() {
    GuardReport report = report(result(Workload.OWN_KEYS, 10, 11));
    assertThat(report.faults())
        .singleElement()
        .asString()
        .contains("10 keys were used; the handler ran 11 times, under 10 keys");
    assertThat(report.markdown()).contains("**WRONG**").doesNotContain("Every key");
  }

  private static GuardReport report(Result result) {
    Plan plan =
        new Plan(
            BenchBackends.Kind.EMBEDDED,
            List.of(Store.POSTGRES),
            List.of(16),
            TWO_SECONDS,
            TWO_SECONDS);
    return new GuardReport(
        Instant.EPOCH, plan, Map.of("processor", "two hands"), 0.1, List.of(result));
  }

  private static Result result(Workload workload, long keys, long executions) {
    Histogram times = new Histogram(3);
    for (int i = 0; i < keys; i++) {
      times.recordValue(Duration.ofMillis(3).toNanos());
    }
    Observed observed = new Observed(new Observed.Series(2.5, 4), new Observed.Series(0.5, 1));
    return new Result(
        new Scenario(workload, Store.POSTGRES, 16, 1),
        new Measured(times, times, TWO_SECONDS, keys, 0, List.of()),
        observed,
        new Executions(executions, keys),
        Duration.ofSeconds(1));
  }
}
