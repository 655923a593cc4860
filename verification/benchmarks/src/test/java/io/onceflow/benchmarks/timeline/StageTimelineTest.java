package io.onceflow.benchmarks.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.saga.report.Json;
import io.onceflow.benchmarks.saga.report.Report;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageTimelineTest {

  @Test
  void tellsSinceThePostAndSinceTheStageBefore() {
    StageTimeline timeline = StageTimeline.of(List.of(saga(1_000), saga(3_000), saga(2_000)));
    assertThat(timeline.sincePostMs(Stage.POST, 50)).isZero();
    assertThat(timeline.sinceLastMs(Stage.POST, 50)).isZero();
    assertThat(timeline.sincePostMs(Stage.STARTED, 50)).isEqualTo(4);
    assertThat(timeline.sinceLastMs(Stage.STARTED, 50)).isEqualTo(2);
    assertThat(timeline.sinceLastMs(Stage.CONFIRMED, 99)).isEqualTo(3);
  }

  @Test
  void leavesOutSagasOfWhichAStageIsNotKnown() {
    Map<Stage, Long> unfinished = saga(1_000);
    unfinished.remove(Stage.CONFIRMED);
    StageTimeline timeline = StageTimeline.of(List.of(unfinished, saga(1)));
    assertThat(timeline.sagas()).hasSize(1);
    assertThat(timeline.faults("alone"))
        .singleElement()
        .asString()
        .contains("alone", "CONFIRMED=1");
    assertThat(StageTimeline.of(List.of(saga(1))).faults("alone")).isEmpty();
    assertThat(StageTimeline.of(List.of()).sincePostMs(Stage.CONFIRMED, 50)).isNaN();
  }

  @Test
  void writesALineForEachStage() {
    List<Map<Stage, Long>> sagas = new ArrayList<>();
    sagas.add(saga(1_000));
    Report report =
        new Report(
            Instant.EPOCH,
            Map.of(),
            List.of(
                TimelineBench.section(
                    StageTimeline.of(sagas), StageTimeline.of(sagas), 0.25, 1_000)),
            List.of());
    assertThat(Json.of(report))
        .contains("\"confirmed\"", "\"loadedSincePostP50Ms\" : 16.0", "\"payment-taken\"");
  }

  /** Each stage takes as long as the others. */
  private static Map<Stage, Long> saga(long microsEach) {
    Map<Stage, Long> saga = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      saga.put(stage, 1_700_000_000_000_000L + stage.ordinal() * microsEach);
    }
    return saga;
  }
}
