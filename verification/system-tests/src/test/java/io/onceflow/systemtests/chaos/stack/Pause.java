package io.onceflow.systemtests.chaos.stack;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Letting time pass is what a nemesis and impatient customers do. */
public final class Pause {

  private Pause() {}

  /** Waits, and does nothing else. */
  public static void of(Duration length) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
  }
}
