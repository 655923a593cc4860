package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each bound is kept up to its last unit, and no further. */
class ResourceBoundsTest {

  private static final Resources WARM = new Resources(30_000_000, 50, 500, 160, 300);
  private static final ResourceBounds BOUNDS = ResourceBounds.DEFAULT;
  private static final Resources GROWTH = BOUNDS.growth();

  record Case(String what, Resources most, Resources tooMany) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case("heap", grown(GROWTH.heap(), 0, 0, 0, 0), grown(GROWTH.heap() + 1, 0, 0, 0, 0)),
        new Case(
            "threads",
            grown(0, GROWTH.threads(), 0, 0, 0),
            grown(0, GROWTH.threads() + 1, 0, 0, 0)),
        new Case(
            "metric series",
            grown(0, 0, GROWTH.series(), 0, 0),
            grown(0, 0, GROWTH.series() + 1, 0, 0)),
        new Case(
            "metric tags",
            grown(0, 0, 0, GROWTH.tagValues(), 0),
            grown(0, 0, 0, GROWTH.tagValues() + 1, 0)),
        new Case(
            "file descriptors",
            grown(0, 0, 0, 0, GROWTH.openFiles()),
            grown(0, 0, 0, 0, GROWTH.openFiles() + 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void complainsOfWhatHasGrownBeyondItsBound(Case growth) {
    assertThat(BOUNDS.grown(WARM, growth.most())).isEmpty();
    assertThat(BOUNDS.grown(WARM, growth.tooMany()))
        .singleElement()
        .asString()
        .contains(growth.what(), "after the warm-up");
  }

  @Test
  void complainsOfInputsThatCostMoreThanTheyMayOnAverage() {
    Duration most = BOUNDS.cpuOfEach().multipliedBy(500);

    assertThat(BOUNDS.spent(most, 500)).isEmpty();
    assertThat(BOUNDS.spent(most.plusMillis(10), 500))
        .singleElement()
        .asString()
        .contains("processor time for 500 inputs");
  }

  private static Resources grown(
      long heap, long threads, long series, long tagValues, long openFiles) {
    return new Resources(
        WARM.heap() + heap,
        WARM.threads() + threads,
        WARM.series() + series,
        WARM.tagValues() + tagValues,
        WARM.openFiles() + openFiles);
  }
}
