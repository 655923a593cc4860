package io.onceflow.idempotency.internal.recovery;

import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.IdempotencyCleanup;
import io.onceflow.internal.watchdog.LoopWatch;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ApplicationNotRunning;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * What the guard does by the clock, on every replica and without a leader. An application with
 * nothing under guard may have no table for it, so there nothing is done. Expired records are the
 * affair of {@link IdempotencyCleanup}.
 */
@ApplicationScoped
class Housekeeping {

  private final GuardedOperations operations;
  private final AbandonedClaims abandoned;
  private final LoopWatch watch;
  private final PeriodicTask recovery = new PeriodicTask("abandoned idempotency keys");

  Housekeeping(GuardedOperations operations, AbandonedClaims abandoned, IdempotencyConfig config) {
    this.operations = operations;
    this.abandoned = abandoned;
    this.watch = LoopWatch.idle("idempotency-recovery", config.recovery().interval());
  }

  void start(@Observes StartupEvent starting) {
    watch.begin();
  }

  void stop(@Observes ShutdownEvent stopping) {
    watch.close();
  }

  @Scheduled(
      identity = "onceflow.idempotency.recovery",
      every = "${onceflow.idempotency.recovery.interval}",
      concurrentExecution = ConcurrentExecution.SKIP,
      skipExecutionIf = ApplicationNotRunning.class)
  void recoverAbandoned() {
    attempt(recovery, abandoned::sweep);
    watch.turned();
  }

  private void attempt(PeriodicTask chore, PeriodicTask.Work work) {
    if (!operations.names().isEmpty()) {
      chore.attempt(work);
    }
  }
}
