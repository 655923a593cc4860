package io.onceflow.internal.retention;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/**
 * Garbage collection of {@code idempotency_record}, {@code inbox_message} and ended sagas. How long
 * rows are kept is set by {@code onceflow.idempotency.retention}, {@code onceflow.inbox.retention}
 * and {@code onceflow.saga.retention}.
 */
@ConfigMapping(prefix = "onceflow.garbage-collection")
public interface GarbageCollectionConfig {

  /**
   * Rows deleted in one transaction; so many are locked for some ten milliseconds. A saga counts as
   * ten, since its steps and its history go with it.
   */
  @WithDefault("1000")
  int batchSize();

  /**
   * The rest between two full batches, as a multiple of the time that the batch took. With 3, a
   * backlog takes no more than a quarter of one connection's time of each replica.
   */
  @WithDefault("3")
  double restBetweenBatches();

  /**
   * How long batches follow each other before the backlog is measured. The next turn follows at
   * once if more rows are left.
   */
  @WithDefault("PT5S")
  Duration longestTurn();

  /** The pause after a turn that found something and deleted all of it. */
  @WithDefault("PT5S")
  Duration firstPause();

  /** Pauses double, from the first to this one, while there is nothing to delete. */
  @WithDefault("PT5M")
  Duration longestPause();

  /**
   * The wellness check is DOWN when a row has been expired for this long and is still there, or
   * when the backlog could not be read for this long. Longer than the longest pause, so that a
   * burst does not raise it; readiness and liveness never change.
   */
  @WithDefault("PT15M")
  Duration warnAfter();
}
