package io.onceflow.inbox.internal.call;

import java.util.concurrent.TimeUnit;

/**
 * How many calls have ended in a second lately; 0 until one second has been seen. Not thread-safe.
 */
final class CallRate {

  private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);

  private boolean isBegun;
  private long sinceNanos;
  private int ended;
  private double perSecond;

  void ended(long begunNanos, long endedNanos) {
    if (!isBegun) {
      begin(begunNanos);
    }
    ended++;
    long length = endedNanos - sinceNanos;
    if (length >= WINDOW) {
      perSecond = ended * (double) WINDOW / length;
      begin(endedNanos);
    }
  }

  private void begin(long nowNanos) {
    isBegun = true;
    sinceNanos = nowNanos;
    ended = 0;
  }

  double perSecond() {
    return perSecond;
  }
}
