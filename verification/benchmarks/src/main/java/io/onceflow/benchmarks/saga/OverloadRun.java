package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.BacklogWatch.Look;
import io.onceflow.benchmarks.saga.load.Answers;
import io.onceflow.benchmarks.saga.load.Second;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The result of a flood.
 *
 * @param offered requests a second
 * @param length of it
 * @param answers all but the shed ones
 * @param seconds the results of the requests of each second
 * @param looks at what waited
 * @param drained from its end until all that was accepted was done
 */
record OverloadRun(
    double offered,
    Duration length,
    Answers answers,
    List<Second> seconds,
    List<Look> looks,
    Duration drained) {

  double acceptedPerSecond() {
    return answers.right() / (double) length.toSeconds();
  }

  double shedPerSecond() {
    return all(Second::shed).getTotalCount() / (double) length.toSeconds();
  }

  /** Of all that were accepted, or of all that were shed. */
  Histogram all(Function<Second, Histogram> which) {
    Histogram sum = which.apply(seconds.getFirst()).copy();
    seconds.stream().skip(1).map(which).forEach(sum::add);
    return sum;
  }

  long highest(ToLongFunction<Look> what) {
    return looks.stream().mapToLong(what).max().orElse(0);
  }

  /** What was seen last in a second of the flood; NaN if nothing was. */
  double lastIn(int second, ToLongFunction<Look> what) {
    return looks.stream()
        .filter(look -> (int) look.second() == second)
        .mapToDouble(look -> what.applyAsLong(look))
        .reduce(Double.NaN, (before, last) -> last);
  }
}
