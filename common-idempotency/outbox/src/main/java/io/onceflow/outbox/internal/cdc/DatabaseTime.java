package io.onceflow.outbox.internal.cdc;

import java.time.Duration;
import java.time.Instant;

/**
 * Times of the database's clock as times of this process' {@link System#nanoTime()}: rather too
 * early than too late. What is due in the table when it is written must not seem to be left to the
 * log for a while, or it would be published from both.
 */
final class DatabaseTime {

  private volatile Seen last;

  private record Seen(Instant database, long nanoTime) {}

  /**
   * Until it has told, its clock is taken for this one.
   *
   * @param asked {@link System#nanoTime()} before the time was read
   */
  DatabaseTime(Instant now, long asked) {
    last = new Seen(now, asked);
  }

  /**
   * The database has told its time.
   *
   * @param asked {@link System#nanoTime()} before it was asked: the answer may have taken a while
   */
  void seen(Instant now, long asked) {
    last = new Seen(now, asked);
  }

  long nanoTimeOf(Instant time) {
    Seen seen = last;
    return seen.nanoTime() + Duration.between(seen.database(), time).toNanos();
  }
}
