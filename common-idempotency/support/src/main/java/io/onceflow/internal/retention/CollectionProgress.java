package io.onceflow.internal.retention;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one table's garbage collection at its last turn. Metrics and health checks read it
 * instead of the database.
 */
final class CollectionProgress {

  /** A table with partitions for no more days than these will soon refuse rows. */
  private static final int FEWEST_DAYS_AHEAD = 2;

  private final String table;
  private final GarbageCollectionConfig config;
  private final LongSupplier nanoTime;
  private volatile Look last;

  /**
   * @param daysAhead partitions that are there for days to come; null for a table without any
   * @param at when, by {@link #nanoTime}
   */
  private record Look(Backlog backlog, @Nullable Long daysAhead, long at) {}

  CollectionProgress(String table, GarbageCollectionConfig config, LongSupplier nanoTime) {
    this.table = table;
    this.config = config;
    this.nanoTime = nanoTime;
    this.last = new Look(Backlog.NONE, null, nanoTime.getAsLong());
  }

  String table() {
    return table;
  }

  void looked(Backlog backlog, OptionalLong daysAhead) {
    Long days = daysAhead.isPresent() ? daysAhead.getAsLong() : null;
    last = new Look(backlog, days, nanoTime.getAsLong());
  }

  Backlog backlog() {
    return last.backlog();
  }

  /** For how long the oldest row has been expired; grows also while the table cannot be read. */
  Duration oldest() {
    Look look = last;
    return look.backlog().rows() == 0 ? Duration.ZERO : look.backlog().oldest().plus(since(look));
  }

  /** The warning for operators; empty when all is well. */
  Optional<String> warning() {
    Look look = last;
    if (oldest().compareTo(config.warnAfter()) > 0) {
      return Optional.of(
          "the oldest expired row has been due for %s s".formatted(oldest().toSeconds()));
    }
    if (since(look).compareTo(config.warnAfter().plus(config.longestPause())) > 0) {
      return Optional.of(
          "the backlog could not be read for %s s".formatted(since(look).toSeconds()));
    }
    if (look.daysAhead() != null && look.daysAhead() <= FEWEST_DAYS_AHEAD) {
      return Optional.of(
          "partitions are there for %s more days; without one, rows are refused"
              .formatted(look.daysAhead()));
    }
    return Optional.empty();
  }

  private Duration since(Look look) {
    return Duration.ofNanos(nanoTime.getAsLong() - look.at());
  }
}
