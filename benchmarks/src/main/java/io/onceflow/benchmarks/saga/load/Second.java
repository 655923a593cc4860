package io.onceflow.benchmarks.saga.load;

import org.HdrHistogram.Histogram;

/**
 * What came of the requests of a flood that were meant to start in one second of it.
 *
 * @param accepted how long those took that were accepted, in microseconds
 * @param shed how long those took that were turned away
 */
public record Second(Histogram accepted, Histogram shed) {

  static Second empty() {
    return new Second(Times.histogram(), Times.histogram());
  }
}
