package io.onceflow.launcher.servers;

import java.time.Duration;

/** The end of a process that need not be a child of this one. */
public final class ProcessEnd {

  /** The JDK itself looks only every few seconds for the end of a process that is no child. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private ProcessEnd() {}

  /**
   * Waits until a process has ended.
   *
   * @return whether it did within the time; an interruption counts as no
   */
  public static boolean await(ProcessHandle process, Duration atMost) {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    while (process.isAlive()) {
      if (System.nanoTime() - giveUpAt > 0) {
        return false;
      }
      try {
        Thread.sleep(LOOK_EVERY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /**
   * Asks a process to end, and kills it where it does not.
   *
   * @param patience how long it may take to end in order
   */
  static void stop(Process process, Duration patience) {
    process.destroy();
    if (!await(process.toHandle(), patience)) {
      process.destroyForcibly();
      await(process.toHandle(), patience);
    }
  }
}
