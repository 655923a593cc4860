package io.onceflow.internal.retention;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The state of one table's garbage collection at its last turn. Metrics and health checks read it
 * instead of the database.
 */
final class CollectionProgress {

  private final String table;
  private final GarbageCollectionConfig config;
  private final LongSupplier nanoTime;
  private volatile Look last;

  /**
   * @param at when, by {@link #nanoTime}
   */
  private record Look(Backlog backlog, long at) {}

  CollectionProgress(String table, GarbageCollectionConfig config, LongSupplier nanoTime) {
    this.table = table;
    this.config = config;
    this.nanoTime = nanoTime;
    this.last = new Look(Backlog.NONE, nanoTime.getAsLong());
  }

  String table() {
    return table;
  }

  void looked(Backlog backlog) {
    last = new Look(backlog, nanoTime.getAsLong());
  }

  Backlog backlog() {
    return last.backlog();
  }

  /** For how long the oldest row has been expired; grows also while the table cannot be read. */
  Duration oldest() {
    Look look = last;
    return look.backlog().rows() == 0 ? Duration.ZERO : look.backlog().oldest().plus(since(look));
  }

  /** The warning for operators; empty when there are no problems. */
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
    return Optional.empty();
  }

  private Duration since(Look look) {
    return Duration.ofNanos(nanoTime.getAsLong() - look.at());
  }
}
