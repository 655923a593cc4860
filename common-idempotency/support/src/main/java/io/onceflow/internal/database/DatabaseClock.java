package io.onceflow.internal.database;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares PostgreSQL's clock with the time that has passed in this process. */
final class DatabaseClock {

  /** Longer than a query and the correction of a clock that is slewed. */
  private static final Duration TOLERATED = Duration.ofSeconds(2);

  private @Nullable Instant last;
  private long lastNanos;

  /**
   * Tells by how much the clock has been set, negative for backwards; empty while it runs as time
   * does.
   *
   * @param now by the database
   * @param nanos {@link System#nanoTime()} of the same moment
   */
  Optional<Duration> observe(Instant now, long nanos) {
    Instant before = last;
    Duration passed = Duration.ofNanos(nanos - lastNanos);
    last = now;
    lastNanos = nanos;
    if (before == null) {
      return Optional.empty();
    }
    Duration step = Duration.between(before, now).minus(passed);
    return Optional.of(step).filter(by -> by.abs().compareTo(TOLERATED) > 0);
  }
}
