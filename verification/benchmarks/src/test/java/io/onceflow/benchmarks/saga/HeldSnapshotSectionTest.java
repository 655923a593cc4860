package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.load.Answers;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ReportRow;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HeldSnapshotSectionTest {

  @Test
  void comparesTheLastMinuteWithTheOneBefore() {
    ReportRow held = HeldSnapshotBench.row("held", "snapshots held", 100, minutes(90, 50));

    assertThat(held.cells())
        .extracting(Cell::value)
        .containsExactly(100.0, 90.0, 70.0, 50.0, 0.5, 2.0);
    assertThat(HeldSnapshotBench.section(plan(), List.of(held)).rows()).containsExactly(held);
  }

  private static HeldSnapshotBench.Plan plan() {
    return new HeldSnapshotBench.Plan(
        BenchBackends.Kind.EMBEDDED, 128, Duration.ofMinutes(2), Duration.ofSeconds(1));
  }

  private static List<ClosedRun> minutes(long first, long second) {
    return List.of(minute(first), minute(second));
  }

  private static ClosedRun minute(long perSecond) {
    Histogram micros = new Histogram(3);
    micros.recordValue(2_000);
    Answers answers = new Answers(micros, perSecond, 0, List.of(), 0);
    return new ClosedRun(128, perSecond * 60, 0, Duration.ofMinutes(1), answers, Duration.ZERO);
  }
}
