package io.onceflow.inbox.internal.call;

import java.util.concurrent.TimeUnit;

/**
 * How many calls of a lane the other system has lately answered in a second in which it was called;
 * 0 until that has been measured. Time without calls does not count. Not thread-safe.
 */
final class CallRate {

  private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);

  private boolean isBegun;
  private long sinceNanos;
  private long latestNanos;
  private int answered;
  private double perSecond;

  void ended(long begunNanos, long endedNanos, CircuitBreaker.Result result) {
    if (!isBegun) {
      isBegun = true;
      begin(begunNanos);
      latestNanos = begunNanos;
    }
    sinceNanos += Math.max(0, begunNanos - latestNanos);
    latestNanos = endedNanos;
    answered += result == CircuitBreaker.Result.ANSWERED ? 1 : 0;
    long length = endedNanos - sinceNanos;
    if (length >= WINDOW) {
      perSecond = answered * (double) WINDOW / length;
      begin(endedNanos);
    }
  }

  private void begin(long nowNanos) {
    sinceNanos = nowNanos;
    answered = 0;
  }

  double perSecond() {
    return perSecond;
  }
}
