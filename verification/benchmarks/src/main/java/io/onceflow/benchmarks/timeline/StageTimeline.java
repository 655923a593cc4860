package io.onceflow.benchmarks.timeline;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * When many sagas were in each stage.
 *
 * @param sagas in microseconds since the epoch, by stage; those of which every stage is known
 * @param unknown of how many sagas a stage is not known, by stage
 */
record StageTimeline(List<Map<Stage, Long>> sagas, Map<Stage, Long> unknown) {

  private static final double MICROS_IN_MS = 1_000;

  /** Of sagas whose stages were read. */
  static StageTimeline of(Collection<? extends Map<Stage, Long>> sagas) {
    Map<Stage, Long> unknown = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      long without = sagas.stream().filter(it -> !it.containsKey(stage)).count();
      if (without > 0) {
        unknown.put(stage, without);
      }
    }
    return new StageTimeline(
        sagas.stream()
            .filter(it -> it.size() == Stage.values().length)
            .<Map<Stage, Long>>map(EnumMap::new)
            .toList(),
        unknown);
  }

  /** What must not be, in words; empty if every stage of every saga is known. */
  List<String> faults(String run) {
    return unknown.isEmpty()
        ? List.of()
        : List.of("%s: of so many sagas a stage is not known: %s".formatted(run, unknown));
  }

  /** From the request to a stage, in milliseconds. */
  double sincePostMs(Stage stage, int percent) {
    return percentile(it -> it.get(stage) - it.get(Stage.POST), percent);
  }

  /** From the stage before to a stage, in milliseconds; 0 for the first. */
  double sinceLastMs(Stage stage, int percent) {
    if (stage == Stage.POST) {
      return 0;
    }
    Stage last = Stage.values()[stage.ordinal() - 1];
    return percentile(it -> it.get(stage) - it.get(last), percent);
  }

  private double percentile(ToLongFunction<Map<Stage, Long>> micros, int percent) {
    long[] sorted = sagas.stream().mapToLong(micros).toArray();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, rank - 1)] / MICROS_IN_MS;
  }
}
