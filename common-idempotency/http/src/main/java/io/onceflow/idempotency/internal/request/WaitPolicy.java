package io.onceflow.idempotency.internal.request;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a repeat waits for the running request, and the pauses between its looks. */
public final class WaitPolicy {

  /** Without a pause the store would be asked as fast as it answers. */
  private static final long SHORTEST_NANOS = 1_000_000;

  /**
   * About as long as a short transaction: with five times that, many repeats at two processes
   * waited for the pause and not for the answer. One request of each process looks, so early looks
   * cost little.
   */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final long deadlineNanos;
  private Duration pause = FIRST_PAUSE;

  WaitPolicy(Duration atMost) {
    this.deadlineNanos = System.nanoTime() + atMost.toNanos();
  }

  /** The remaining time; zero or less when it is over. */
  public Duration left() {
    return Duration.ofNanos(deadlineNanos - System.nanoTime());
  }

  public boolean isOver() {
    return !left().isPositive();
  }

  /** Pauses, each time about twice as long, with jitter to spread the waiters of many processes. */
  public void pause() throws InterruptedException {
    double jitter = ThreadLocalRandom.current().nextDouble(0.5, 1.0);
    long wanted = Math.max(SHORTEST_NANOS, (long) (pause.toNanos() * jitter));
    long nanos = Math.min(wanted, left().toNanos());
    if (nanos > 0) {
      Thread.sleep(Duration.ofNanos(nanos));
    }
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }
}
