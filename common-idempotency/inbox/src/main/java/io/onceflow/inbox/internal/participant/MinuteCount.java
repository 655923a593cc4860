package io.onceflow.inbox.internal.participant;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Counts what has happened within the last minute, by seconds. */
final class MinuteCount {

  private static final int SECONDS = 60;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanoTime;
  private final int[] counts = new int[SECONDS];
  private final long[] seconds = new long[SECONDS];

  MinuteCount(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized void increment() {
    long second = second();
    int place = Math.floorMod(second, SECONDS);
    if (seconds[place] != second) {
      seconds[place] = second;
      counts[place] = 0;
    }
    counts[place]++;
  }

  synchronized int value() {
    long oldest = second() - SECONDS;
    int sum = 0;
    for (int place = 0; place < SECONDS; place++) {
      sum += seconds[place] > oldest ? counts[place] : 0;
    }
    return sum;
  }

  private long second() {
    return Math.floorDiv(nanoTime.getAsLong(), SECOND);
  }
}
