package io.onceflow.idempotency;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ApplicationNotRunning;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * What the guard does by the clock, on every replica and without a leader. An application with
 * nothing under guard may have no table for it, so there nothing is done. Expired records are the
 * affair of {@link IdempotencyCleanup}.
 */
@ApplicationScoped
class Housekeeping {

  private final GuardedOperations operations;
  private final AbandonedClaims abandoned;
  private final Chore recovery = new Chore("abandoned idempotency keys");

  Housekeeping(GuardedOperations operations, AbandonedClaims abandoned) {
    this.operations = operations;
    this.abandoned = abandoned;
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
