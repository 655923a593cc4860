package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.internal.retention.GarbageCollection;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Garbage collection of {@code idempotency_record}: starts if there are guarded methods and their
 * records are in PostgreSQL. See {@code onceflow.garbage-collection}.
 *
 * <p>A claim whose lease has not ended is never deleted, however long ago it expired. Neither is
 * one whose lease ended within the last hour, nor one whose caller was answered 202, also after an
 * outage that was longer than the retention: the recovery sweep completes its work first. After
 * thirty days that is given up: no replica has known its operation, or could read it.
 */
@ApplicationScoped
public class IdempotencyCleanup {

  public static final CollectedTable TABLE =
      CollectedTable.byTime(
          "idempotency_record",
          "expires_at",
          Duration.ZERO,
          """
          (lease_expires_at IS NULL
           OR lease_expires_at <= now() - interval '1 h' AND accepted_at IS NULL
           OR lease_expires_at <= now() - interval '30 d')\
          """);

  /** After the guarded methods have been found. */
  private static final int AFTER_THE_OPERATIONS = Interceptor.Priority.APPLICATION + 1000;

  private final IdempotencyConfig config;
  private final GuardedOperations operations;
  private final GarbageCollector collector;

  IdempotencyCleanup(
      IdempotencyConfig config, GuardedOperations operations, GarbageCollection collection) {
    this.config = config;
    this.operations = operations;
    this.collector = collection.of(TABLE);
  }

  void start(@Observes @Priority(AFTER_THE_OPERATIONS) StartupEvent started) {
    if (config.store() != IdempotencyConfig.Store.REDIS && !operations.names().isEmpty()) {
      collector.start();
    }
  }

  /**
   * Takes one turn now: deletes what has expired, batch after batch, until a batch is not full or
   * the turn has lasted long enough.
   *
   * @return how many were deleted
   */
  public int deleteExpired() throws SQLException {
    return collector.collect();
  }
}
