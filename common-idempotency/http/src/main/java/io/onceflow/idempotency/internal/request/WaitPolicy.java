package io.onceflow.idempotency.internal.request;

import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a repeat waits for the running request, and the pauses between its looks. */
public final class WaitPolicy {

  /** Without a pause the store would be asked as fast as it answers. */
  private static final long SHORTEST_NANOS = 1_000_000;

  private final long deadlineNanos;
  private final Duration longestPause;
  private Duration pause;

  private WaitPolicy(Duration atMost, Duration firstPause, Duration longestPause) {
    this.deadlineNanos = System.nanoTime() + atMost.toNanos();
    this.pause = firstPause;
    this.longestPause = longestPause;
  }

  static WaitPolicy none() {
    return new WaitPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  static WaitPolicy of(Duration atMost, IdempotencyConfig.Waiting config) {
    return new WaitPolicy(atMost, config.firstPause(), config.longestPause());
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
    pause = doubled.compareTo(longestPause) > 0 ? longestPause : doubled;
  }
}
