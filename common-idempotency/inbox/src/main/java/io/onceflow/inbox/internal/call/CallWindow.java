package io.onceflow.inbox.internal.call;

import java.util.stream.LongStream;

/**
 * The calls of one lane that ended since the limit was last adjusted.
 *
 * <p>Not thread-safe.
 */
final class CallWindow {

  private final long beganNanos;

  /** Of answered calls that were made since: those made before say nothing about today's limit. */
  private final LongStream.Builder times = LongStream.builder();

  private int fresh;
  private int answered;
  private int failed;
  private long busyNanos;

  CallWindow(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  void answered(long begunNanos, long endedNanos) {
    answered++;
    busyNanos += endedNanos - begunNanos;
    if (begunNanos - beganNanos >= 0) {
      times.add(endedNanos - begunNanos);
      fresh++;
    }
  }

  void failed() {
    failed++;
  }

  /** Calls that say something. */
  int count() {
    return fresh + failed;
  }

  long lengthNanos(long nowNanos) {
    return nowNanos - beganNanos;
  }

  /** The part of the calls that failed. */
  double failureRatio() {
    return (double) failed / Math.max(1, answered + failed);
  }

  /** How many calls were under way on the average, those that failed left out. */
  double busy(long nowNanos) {
    return (double) busyNanos / Math.max(1, lengthNanos(nowNanos));
  }

  /** Whether a call was answered that was made since. */
  boolean hasAnswers() {
    return fresh > 0;
  }

  /** The median of the times of such calls, at least 1. */
  long medianNanos() {
    long[] sorted = times.build().sorted().toArray();
    return Math.max(1, sorted[sorted.length / 2]);
  }
}
