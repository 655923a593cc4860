package io.onceflow.benchmarks.load;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What the clients of one run saw.
 *
 * @param answers time from each request to its answer, in nanoseconds
 * @param rounds time from a herd's start until its last client had its answer, in nanoseconds;
 *     empty where there are no herds
 * @param elapsed from the first request to the last answer
 * @param keys how many different keys were used
 * @param wrong answers that were none, or not the one that belongs to the key
 * @param examples some of the wrong ones
 */
public record Measured(
    Histogram answers,
    Histogram rounds,
    Duration elapsed,
    long keys,
    long wrong,
    List<String> examples) {

  private static final double NANOS_IN_SECOND = 1e9;

  /** Answers per second. */
  public double answersPerSecond() {
    return answers.getTotalCount() * NANOS_IN_SECOND / elapsed.toNanos();
  }

  /** Herds per second. */
  public double roundsPerSecond() {
    return rounds.getTotalCount() * NANOS_IN_SECOND / elapsed.toNanos();
  }
}
