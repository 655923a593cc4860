package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.WalCount;
import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Markdown;
import io.onceflow.benchmarks.saga.report.Report;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CostSectionsTest {

  @Test
  void tellsWhatASagaAloneCostsWithoutWhatTheIdleStackDoes() {
    Report report =
        report(
            cost(1, Map.of("orders", 100.0), Map.of(WalCount.INDEX_ENTRIES, 0.0)),
            cost(0.1, Map.of("orders", 52.0), Map.of(WalCount.INDEX_ENTRIES, 67.0)));

    assertThat(Markdown.of(report))
        .containsPattern("per saga +\\| idle, a second +\\| a saga alone")
        .containsPattern("statements +\\| +100.00 +\\| +42.00")
        .containsPattern("B-tree entries inserted +\\| +0.00 +\\| +67.00");
    assertThat(Json.of(report)).containsPattern("\"alone\" : 67.0");
  }

  @Test
  void saysWhatIsMissingWhereTheLogCannotBeRead() {
    Report report = report(cost(1, Map.of(), Map.of()), cost(0.1, Map.of(), Map.of()));

    assertThat(Markdown.of(report)).containsPattern("rows inserted +\\| +needs pg_walinspect");
    assertThat(Json.of(report)).contains("\"alone\" : \"needs pg_walinspect\"");
  }

  private static Report report(SagaCost idle, SagaCost alone) {
    CostSections sections =
        new CostSections(
            List.of(CostSections.Column.idle(idle), CostSections.Column.alone(alone, idle)));
    return new Report(
        Instant.EPOCH,
        Map.of(),
        List.of(sections.processes(Map.of()), sections.counts()),
        List.of());
  }

  private static SagaCost cost(
      double seconds, Map<String, Double> statements, Map<WalCount, Double> wal) {
    return new SagaCost(
        seconds,
        Map.of("order-service", 1.0),
        0,
        Map.of(),
        0,
        wal,
        Map.of(),
        statements,
        OptionalDouble.empty());
  }
}
