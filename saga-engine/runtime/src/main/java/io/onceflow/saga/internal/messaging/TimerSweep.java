package io.onceflow.saga.internal.messaging;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.view.OpenSagas;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Fires the timers of sagas that are due, a batch to a transaction. When a batch fails, it is
 * halved until the failing sagas are found. The other sagas go on; the failure of each failing saga
 * is counted in the database in a separate transaction, and its timer is postponed.
 */
public final class TimerSweep {

  private static final Logger LOG = Logger.getLogger(TimerSweep.class);

  private final UnitOfWork unitOfWork;
  private final int batch;

  /**
   * @param batch how many sagas in one transaction
   */
  public TimerSweep(UnitOfWork unitOfWork, int batch) {
    this.unitOfWork = unitOfWork;
    this.batch = batch;
  }

  /** One batch: how many were due, and those of them that became stuck. */
  public SagaRunner.Swept sweep(SagaRunner<?> runner) throws SQLException {
    try {
      return unitOfWork.call(tx -> runner.fireDue(tx, batch));
    } catch (SQLException | RuntimeException | Error failure) {
      if (!isOfTheSagas(failure)) {
        throw failure;
      }
      LOG.debugf(failure, "of the due sagas of %s some fail", runner.definition());
      List<UUID> due = unitOfWork.call(tx -> runner.due(tx, batch));
      List<OpenSagas.Stuck> stuck = new ArrayList<>();
      fire(runner, due, stuck);
      return new SagaRunner.Swept(due.size(), stuck);
    }
  }

  private void fire(SagaRunner<?> runner, List<UUID> some, List<OpenSagas.Stuck> stuck)
      throws SQLException {
    if (some.isEmpty()) {
      return;
    }
    try {
      stuck.addAll(unitOfWork.call(tx -> runner.fireDue(tx, new HashSet<>(some))).stuck());
    } catch (SQLException | RuntimeException | Error failure) {
      if (!isOfTheSagas(failure)) {
        throw failure;
      }
      if (some.size() == 1) {
        count(runner, some.getFirst(), failure);
      } else {
        fire(runner, some.subList(0, some.size() / 2), stuck);
        fire(runner, some.subList(some.size() / 2, some.size()), stuck);
      }
    }
  }

  /**
   * A failure of the database, because it is unavailable or because of a race, does not count as
   * the saga's.
   */
  private static boolean isOfTheSagas(Throwable failure) {
    return FailureKind.of(failure) == FailureKind.OTHER;
  }

  private void count(SagaRunner<?> runner, UUID saga, Throwable failure) throws SQLException {
    Optional<FailingSagas.Counted> counted =
        unitOfWork.call(tx -> runner.countFailure(tx, saga, failure));
    if (counted.isEmpty()) {
      return;
    }
    if (counted.get().isQuarantined()) {
      LOG.errorf(
          failure,
          "saga %s of %s is in quarantine: handling it failed %d times in a row. Its timer rests"
              + " until an operator calls POST /sagas/%s/retry, after the cause is fixed"
              + " (docs/operations/operations.md#quarantine)",
          saga,
          runner.definition(),
          counted.get().failures(),
          saga);
    } else {
      LOG.warnf(
          failure,
          "saga %s of %s could not be handled at attempt %d; tried again a little later",
          saga,
          runner.definition(),
          counted.get().failures());
    }
  }
}
