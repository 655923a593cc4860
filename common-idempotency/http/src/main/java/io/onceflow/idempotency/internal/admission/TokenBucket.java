package io.onceflow.idempotency.internal.admission;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A token bucket. A request that costs more tokens than are left passes and leaves a debt, so that
 * a request with many operations need not wait for a full bucket. Not thread-safe.
 */
final class TokenBucket {

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final double size;
  private final double perSecond;
  private double left;
  private long filledAt;

  TokenBucket(int size, int perSecond, long nanos) {
    this.size = size;
    this.perSecond = perSecond;
    this.left = size;
    this.filledAt = nanos;
  }

  /** Takes tokens if there is at least one. */
  boolean tryTake(int tokens, long nanos) {
    fill(nanos);
    boolean isOpen = left >= 1;
    if (isOpen) {
      left -= tokens;
    }
    return isOpen;
  }

  /** Takes tokens whether or not there are any. */
  void take(int tokens, long nanos) {
    fill(nanos);
    left -= tokens;
  }

  /** The time until there is a token. */
  Duration untilOpen(long nanos) {
    fill(nanos);
    return Duration.ofNanos((long) (Math.max(0, 1 - left) / perSecond * NANOS));
  }

  private void fill(long nanos) {
    left = Math.min(size, left + (nanos - filledAt) / NANOS * perSecond);
    filledAt = nanos;
  }
}
