package io.onceflow.benchmarks.saga.load;

import org.HdrHistogram.Histogram;

/**
 * The results of the requests of a flood that were scheduled in one second.
 *
 * @param accepted how long those took that were accepted, in microseconds
 * @param shed how long the refused ones took
 */
public record Second(Histogram accepted, Histogram shed) {

  static Second empty() {
    return new Second(Times.histogram(), Times.histogram());
  }
}
