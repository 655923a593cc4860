package io.onceflow.idempotency;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ApplicationNotRunning;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * What the guard does by the clock, on every replica and without a leader. An application with
 * nothing under guard may have no table for it, so there nothing is done.
 */
@ApplicationScoped
class Housekeeping {

  private final GuardedOperations operations;
  private final IdempotencyCleanup cleanup;
  private final AbandonedClaims abandoned;
  private final Chore expiry = new Chore("expired idempotency keys");
  private final Chore recovery = new Chore("abandoned idempotency keys");

  Housekeeping(
      GuardedOperations operations, IdempotencyCleanup cleanup, AbandonedClaims abandoned) {
    this.operations = operations;
    this.cleanup = cleanup;
    this.abandoned = abandoned;
  }

  @Scheduled(
      identity = "onceflow.idempotency.cleanup",
      every = "${onceflow.idempotency.cleanup-interval}",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = ApplicationNotRunning.class)
  void deleteExpired() {
    attempt(expiry, cleanup::deleteExpired);
  }

  @Scheduled(
      identity = "onceflow.idempotency.recovery",
      every = "${onceflow.idempotency.recovery.interval}",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = ApplicationNotRunning.class)
  void recoverAbandoned() {
    attempt(recovery, abandoned::sweep);
  }

  private void attempt(Chore chore, Chore.Work work) {
    if (!operations.names().isEmpty()) {
      chore.attempt(work);
    }
  }
}
