package io.onceflow.benchmarks.saga.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The answers that the clients of one run got. Filled on one event loop only.
 *
 * @param times to each answer, in microseconds
 * @param shed requests that were rejected at admission of a server that is full; not among the
 *     wrong ones
 * @param examples of the wrong ones, a few
 */
public record Answers(Histogram times, long right, long shed, List<String> examples, long wrong) {

  /** Counts answers on the event loop. */
  static final class Tally {

    private static final int MOST_EXAMPLES = 3;

    private final Histogram times = Times.histogram();
    private final List<String> examples = new ArrayList<>();
    private long right;
    private long shed;
    private long wrong;

    void right(long nanos) {
      right++;
      Times.record(times, nanos);
    }

    void shed() {
      shed++;
    }

    void wrong(String what) {
      wrong++;
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(what);
      }
    }

    Answers answers() {
      return new Answers(times, right, shed, List.copyOf(examples), wrong);
    }
  }
}
