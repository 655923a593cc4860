package io.onceflow.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Many runs, on all cores; each of them on one thread. */
public final class Seeds {

  /** Seeds per batch that the cores share. */
  private static final long CHUNK = 2_000;

  private Seeds() {}

  /** Told after every so many seeds. */
  @FunctionalInterface
  public interface Progress {

    /**
     * @param done how many seeds have run
     */
    void after(long done);
  }

  /**
   * Runs seeds with all rules.
   *
   * @return those by which something did not hold, in their order
   */
  public static List<SimulationRun> failing(long from, long count, Progress progress) {
    return LongStream.range(0, (count + CHUNK - 1) / CHUNK)
        .mapToObj(Long::valueOf)
        .flatMap(
            chunk -> {
              long first = from + chunk * CHUNK;
              long end = Math.min(first + CHUNK, from + count);
              List<SimulationRun> failing = failing(first, end);
              progress.after(end - from);
              return failing.stream();
            })
        .toList();
  }

  private static List<SimulationRun> failing(long from, long end) {
    return LongStream.range(from, end)
        .parallel()
        .mapToObj(SimulationRun::of)
        .filter(run -> run.violation() != null)
        .sorted(Comparator.comparing(SimulationRun::seed))
        .toList();
  }

  /** The first seed that shows that a rule was taken out; empty when none of these does. */
  public static Optional<SimulationRun> firstToCatch(Rule without, long from, long count) {
    return LongStream.range(from, from + count)
        .mapToObj(rank -> SimulationRun.of(without.seed(rank), without, false))
        .filter(run -> run.violation() != null)
        .findFirst();
  }
}
