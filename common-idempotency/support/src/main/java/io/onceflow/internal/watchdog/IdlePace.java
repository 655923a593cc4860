package io.onceflow.internal.watchdog;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets a loop that looks into the database at intervals look less often while there is nothing to
 * do: at each interval as long as anything was found within the last twenty of them, else at every
 * twentieth. It starts as idle. Loops may share one: then one of them looks for all.
 */
public final class IdlePace {

  /** Intervals. Longer than what a loop has started usually takes to come back to it. */
  private static final int BUSY_FOR = 20;

  /** Intervals between two looks of an idle loop. */
  private static final int IDLE = 20;

  private final long busyForNanos;
  private final long idleNanos;
  private final LongSupplier nanoTime;
  private long busyAt;
  private long lookedAt;

  /**
   * @param interval of a loop that is busy
   */
  public IdlePace(Duration interval) {
    this(interval, System::nanoTime);
  }

  IdlePace(Duration interval, LongSupplier nanoTime) {
    this.busyForNanos = interval.multipliedBy(BUSY_FOR).toNanos();
    this.idleNanos = interval.multipliedBy(IDLE).toNanos();
    this.nanoTime = nanoTime;
    this.busyAt = nanoTime.getAsLong() - busyForNanos;
    this.lookedAt = busyAt;
  }

  /** Asked at each interval: whether to look now. */
  public synchronized boolean isDue() {
    long now = nanoTime.getAsLong();
    boolean isDue = now - busyAt < busyForNanos || now - lookedAt >= idleNanos;
    if (isDue) {
      lookedAt = now;
    }
    return isDue;
  }

  /** There was something to do, or there will soon be. */
  public synchronized void busy() {
    busyAt = nanoTime.getAsLong();
  }
}
