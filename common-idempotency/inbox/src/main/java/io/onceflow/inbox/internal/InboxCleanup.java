package io.onceflow.inbox.internal;

import io.onceflow.internal.retention.GarbageCollection;
import io.onceflow.internal.retention.GarbageCollector;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;

/**
 * Garbage collection of {@code inbox_message}. An application that uses the inbox calls {@link
 * #start()} when the application starts. Nothing else deletes rows of the inbox, so rule 14 is
 * checked here, where it could be broken.
 */
@ApplicationScoped
public class InboxCleanup {

  private final InboxConfig config;
  private final GarbageCollector collector;

  InboxCleanup(InboxConfig config, GarbageCollection collection) {
    this.config = config;
    this.collector = collection.of(EndedSteps.table(config.retention()));
  }

  /**
   * Starts to delete, now and then, rows of steps that ended longer ago than the retention; see
   * {@code onceflow.garbage-collection}.
   *
   * @throws RetentionInvalid when the configuration would have rows deleted whose steps may still
   *     be repeated; the application must not start
   */
  public void start() {
    RetentionInvalid.check(config);
    collector.start();
  }

  /** Ends after the batch at hand. */
  @PreDestroy
  public void stop() {
    collector.close();
  }

  /**
   * Takes one turn now: batch after batch until one is not full or the turn has lasted long enough.
   *
   * @return how many were deleted
   * @throws RetentionInvalid as by {@link #start()}
   */
  public int deleteExpired() throws SQLException {
    RetentionInvalid.check(config);
    return collector.collect();
  }
}
