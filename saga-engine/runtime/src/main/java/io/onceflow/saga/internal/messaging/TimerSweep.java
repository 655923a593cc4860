package io.onceflow.saga.internal.messaging;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.database.RowFailures;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.failure.FailurePolicy;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Fires the timers of sagas that are due, a batch to a transaction. When a batch fails, it is
 * halved until the failing sagas are found. The other sagas continue; the failure of each failing
 * saga is counted in the database in a separate transaction, and its timer is postponed. A saga
 * that another transaction keeps locked, or whose subject it does, is left for the next sweep.
 */
public final class TimerSweep {

  private static final Logger LOG = Logger.getLogger(TimerSweep.class);

  /** Longer than a transaction usually has a lock, and short enough to find one among a batch. */
  private static final String SHORT_LOCK_WAITS = "SET LOCAL lock_timeout TO '200ms'";

  private final UnitOfWork unitOfWork;
  private final FailurePolicy policy;
  private final int batch;

  /** Sagas whose failures cannot be counted. */
  private final RowFailures<UUID> failures = new RowFailures<>("saga_instance");

  /**
   * The result of one batch.
   *
   * @param due how many sagas were due
   * @param stuck those of them that became stuck
   */
  public record Swept(int due, List<LockedSaga<?>> stuck) {}

  /**
   * @param batch how many sagas in one transaction
   */
  public TimerSweep(UnitOfWork unitOfWork, FailurePolicy policy, int batch) {
    this.unitOfWork = unitOfWork;
    this.policy = policy;
    this.batch = batch;
  }

  /** One batch: how many were due and free, and those of them that became stuck. */
  public Swept sweep(SagaRunner<?> runner) throws SQLException {
    try {
      return unitOfWork.call(tx -> swept(runner.fireDue(tx, batch)));
    } catch (SQLException | RuntimeException | Error failure) {
      if (FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      LOG.debugf(failure, "of the due sagas of %s some fail", runner.definition());
      List<UUID> due = List.copyOf(unitOfWork.call(tx -> runner.due(tx, batch)).ids());
      List<LockedSaga<?>> stuck = new ArrayList<>();
      return new Swept(fire(runner, due, stuck), stuck);
    }
  }

  /** How many of these are no longer due. */
  private int fire(SagaRunner<?> runner, List<UUID> some, List<LockedSaga<?>> stuck)
      throws SQLException {
    if (some.isEmpty()) {
      return 0;
    }
    try {
      stuck.addAll(unitOfWork.call(tx -> fireWithoutWaiting(runner, tx, some)).stuck());
      return some.size();
    } catch (SQLException | RuntimeException | Error failure) {
      boolean isLocked = FailureKind.isLocked(failure);
      if (!isLocked && FailureKind.of(failure) != FailureKind.OTHER) {
        // The database is unavailable, or slow: that is none of the sagas' failures.
        throw failure;
      }
      if (some.size() > 1) {
        int half = some.size() / 2;
        return fire(runner, some.subList(0, half), stuck)
            + fire(runner, some.subList(half, some.size()), stuck);
      }
      if (isLocked) {
        LOG.debugf("saga %s, or its subject, is locked; it is left for the next sweep", some);
        return 0;
      }
      UUID saga = some.getFirst();
      return failures.handle(saga, () -> count(runner, saga, failure)) ? 1 : 0;
    }
  }

  private static Swept fireWithoutWaiting(SagaRunner<?> runner, Transaction tx, List<UUID> some)
      throws SQLException {
    Sql.update(tx.connection(), SHORT_LOCK_WAITS);
    return swept(runner.fireDue(tx, new HashSet<>(some)));
  }

  private static Swept swept(List<? extends LockedSaga<?>> due) {
    List<LockedSaga<?>> stuck = new ArrayList<>(due);
    stuck.removeIf(saga -> saga.becameStuck().isEmpty());
    return new Swept(due.size(), stuck);
  }

  private void count(SagaRunner<?> runner, UUID saga, Throwable failure) throws SQLException {
    Optional<FailingSagas.Counted> counted =
        unitOfWork.call(tx -> FailingSagas.count(tx.connection(), saga, failure, policy));
    if (counted.isEmpty()) {
      return;
    }
    if (counted.get().isQuarantined()) {
      LOG.errorf(
          failure,
          "saga %s of %s is in quarantine: handling it failed %s times in a row. Its timer rests"
              + " until an operator calls POST /sagas/%s/retry, after the cause is fixed"
              + " (docs/operations/operations.md#quarantine)",
          saga,
          runner.definition(),
          counted.get().failures(),
          saga);
    } else {
      LOG.warnf(
          failure,
          "saga %s of %s could not be handled at attempt %s; tried again a little later",
          saga,
          runner.definition(),
          counted.get().failures());
    }
  }
}
