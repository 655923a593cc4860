package io.onceflow.systemtests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * By how much a service may hold more than after its warm-up, and what an input may cost.
 * docs/internals/fuzzing.md says what was measured.
 *
 * @param growth of each of the resources
 * @param cpuOfEach processor time of an input, on average over a stretch
 */
record ResourceBounds(Resources growth, Duration cpuOfEach) {

  /** For all services and all kinds of input. */
  static final ResourceBounds DEFAULT =
      new ResourceBounds(
          new Resources(10L * 1024 * 1024, 12, 1_000, 20, 24), Duration.ofMillis(15));

  /**
   * Says what is beyond a bound.
   *
   * @return a sentence for each, such as {@code 91 live threads, 44 after the warm-up; at most 12
   *     more are allowed}
   */
  List<String> grown(Resources before, Resources now) {
    List<String> complaints = new ArrayList<>();
    grown("bytes of heap after a full GC", before.heap(), now.heap(), growth.heap(), complaints);
    grown("live threads", before.threads(), now.threads(), growth.threads(), complaints);
    grown("metric series", before.series(), now.series(), growth.series(), complaints);
    grown(
        "values of metric tags",
        before.tagValues(),
        now.tagValues(),
        growth.tagValues(),
        complaints);
    grown(
        "open file descriptors",
        before.openFiles(),
        now.openFiles(),
        growth.openFiles(),
        complaints);
    return complaints;
  }

  private static void grown(
      String what, long before, long now, long bound, List<String> complaints) {
    if (now - before > bound) {
      complaints.add(
          "%,d %s, %,d after the warm-up; at most %,d more are allowed"
              .formatted(now, what, before, bound));
    }
  }

  /** The same for processor time. */
  List<String> spent(Duration cpu, int inputs) {
    return cpu.compareTo(cpuOfEach.multipliedBy(inputs)) <= 0
        ? List.of()
        : List.of(
            "%,d ms of processor time for %,d inputs; at most %d ms for each are allowed"
                .formatted(cpu.toMillis(), inputs, cpuOfEach.toMillis()));
  }
}
