package io.onceflow.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Counts the answers of clients. For one event loop only. */
final class Tally {

  /** How many wrong answers are reported in full; the others are only counted. */
  private static final int MOST_EXAMPLES = 3;

  private static final long LONGEST_NANOS = Duration.ofMinutes(2).toNanos();
  private static final int DIGITS = 3;

  private final Histogram answers = new Histogram(LONGEST_NANOS, DIGITS);
  private final Histogram rounds = new Histogram(LONGEST_NANOS, DIGITS);
  private final List<String> examples = new ArrayList<>();
  private long keys;
  private long wrong;

  /** A key was used for the first time. */
  void key() {
    keys++;
  }

  /** Counts an answer, right or wrong. */
  void answer(CallResponse answer, boolean isRight) {
    answers.recordValue(Math.min(answer.nanos(), LONGEST_NANOS));
    if (!isRight) {
      wrong(answer.toString());
    }
  }

  /** Counts a request that got no answer, or a set of answers that do not go together. */
  void wrong(String what) {
    wrong++;
    if (examples.size() < MOST_EXAMPLES) {
      examples.add(what);
    }
  }

  /** All clients of a herd have their answer. */
  void round(long nanos) {
    rounds.recordValue(Math.min(nanos, LONGEST_NANOS));
  }

  Measured measured(long elapsedNanos) {
    return new Measured(
        answers, rounds, Duration.ofNanos(elapsedNanos), keys, wrong, List.copyOf(examples));
  }
}
