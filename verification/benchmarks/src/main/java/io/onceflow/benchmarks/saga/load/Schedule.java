package io.onceflow.benchmarks.saga.load;

import java.time.Duration;

/**
 * When the requests of an open loop start: at even intervals, without waiting for earlier answers.
 *
 * @param perSecond how many
 * @param requests how many in all
 */
record Schedule(double perSecond, int requests) {

  private static final double NANOS_IN_SECOND = 1e9;

  /** As many as fit into the time. */
  static Schedule of(double perSecond, Duration length) {
    return new Schedule(perSecond, (int) Math.floor(perSecond * Times.seconds(length)));
  }

  /** From the beginning to the n-th request, counted from 0, in nanoseconds. */
  long nanosTo(int request) {
    return (long) (request * NANOS_IN_SECOND / perSecond);
  }
}
