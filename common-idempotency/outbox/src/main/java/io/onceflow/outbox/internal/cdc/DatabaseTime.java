package io.onceflow.outbox.internal.cdc;

import java.time.Duration;
import java.time.Instant;

/** Times of the database's clock as times of this process' {@link System#nanoTime()}. */
final class DatabaseTime {

  private volatile Seen last;

  private record Seen(Instant database, long nanoTime) {}

  DatabaseTime(Instant now) {
    last = new Seen(now, System.nanoTime());
  }

  /** The database has said its time just now. */
  void seen(Instant now) {
    last = new Seen(now, System.nanoTime());
  }

  long nanoTimeOf(Instant time) {
    Seen seen = last;
    return seen.nanoTime() + Duration.between(seen.database(), time).toNanos();
  }
}
