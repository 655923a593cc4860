package io.onceflow.idempotency.internal.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether several callers share the process and requests take longer than they should: then one
 * caller's requests are what the others wait for. Not thread-safe.
 */
final class Contention {

  /**
   * Callers that came within this time of each other share the process, and so do those whose
   * requests run at the same time.
   */
  private static final Duration TOGETHER = Duration.ofSeconds(1);

  /** The weight of the newest request in the average. */
  private static final double NEWEST = 0.125;

  private final long slowNanos;
  private double averageNanos;
  private @Nullable String latest;
  private long latestAt;
  private long sharedUntil;

  /**
   * @param slowAfter what a request may take on the average
   * @param now in nanoseconds, as in all other methods
   */
  Contention(Duration slowAfter, long now) {
    this.slowNanos = slowAfter.toNanos();
    this.sharedUntil = now;
  }

  /**
   * A caller asks to be let in.
   *
   * @param othersWait whether requests of other callers are in progress
   */
  void came(String caller, boolean othersWait, long now) {
    if (!isShared(now)) {
      averageNanos = 0;
    }
    if (othersWait || isSoonAfterAnother(caller, now)) {
      sharedUntil = now + TOGETHER.toNanos();
    }
    latest = caller;
    latestAt = now;
  }

  private boolean isSoonAfterAnother(String caller, long now) {
    return latest != null && !caller.equals(latest) && now - latestAt < TOGETHER.toNanos();
  }

  /** A request that was let in is done. */
  void done(long tookNanos) {
    averageNanos += NEWEST * (tookNanos - averageNanos);
  }

  /** True while callers share the process and requests take long. */
  boolean isFelt(long now) {
    return isShared(now) && averageNanos > slowNanos;
  }

  private boolean isShared(long now) {
    return sharedUntil - now > 0;
  }
}
