package io.onceflow.saga.internal.repair;

import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.failure.FailureReason;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the marks of repairs, a turn each second; while there is none it looks for them every
 * five seconds. Every replica does; {@code SKIP LOCKED} shares the work. Each saga is asked in a
 * transaction of its own, in which that is noted, too: what one process leaves undone, the next one
 * does.
 */
@ApplicationScoped
class RepairTimer {

  private static final Logger LOG = Logger.getLogger(RepairTimer.class);

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final UnitOfWork unitOfWork;
  private final Requests sagas;
  private final Repairs repairs;
  private final RepairMetrics metrics;
  private final PeriodicTask task = new PeriodicTask("saga-repairs", this::work);
  private final IdlePace pace = new IdlePace(EVERY.dividedBy(4));
  private volatile boolean isRunning = true;

  /** Asks a saga, as an operator does. */
  @FunctionalInterface
  interface Requests {
    OperatorAnswer ask(Transaction tx, UUID saga, RepairMarks.Due due) throws SQLException;
  }

  @Inject
  RepairTimer(UnitOfWork unitOfWork, SagaRunners sagas, Repairs repairs, RepairMetrics metrics) {
    this(
        sagas.transactions(unitOfWork),
        (tx, saga, due) -> due.action().carryOut(tx, sagas, saga, due.asked()),
        repairs,
        metrics);
  }

  RepairTimer(UnitOfWork unitOfWork, Requests sagas, Repairs repairs, RepairMetrics metrics) {
    this.unitOfWork = unitOfWork;
    this.sagas = sagas;
    this.repairs = repairs;
    this.metrics = metrics;
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    task.start(EVERY, EVERY);
  }

  /** Returns after the saga under way. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    isRunning = false;
    synchronized (this) {
      task.close();
    }
  }

  private synchronized void work() throws SQLException {
    if (!isRunning || !pace.isDue()) {
      return;
    }
    try {
      if (turn()) {
        pace.busy();
      }
      metrics.look(unitOfWork);
    } catch (SQLException | RuntimeException | Error e) {
      pace.busy();
      metrics.forget();
      throw e;
    }
  }

  /**
   * Settles the sagas that were asked before, and asks those whose turn it is.
   *
   * @return whether a repair runs
   * @throws SQLException when the database is unavailable; the next turn continues
   */
  boolean turn() throws SQLException {
    boolean isAny = settle();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    boolean isDue = isAny;
    while (isDue && isRunning && System.nanoTime() - until < 0) {
      isDue = next();
    }
    return isAny;
  }

  /** Returns whether a repair runs. Sagas are asked also while settling them takes too long. */
  private boolean settle() throws SQLException {
    try {
      return unitOfWork.call(
          tx -> {
            List<UUID> running = RepairSettlement.hold(tx.connection());
            if (!running.isEmpty()) {
              repairs.settle(tx, running, metrics);
            }
            return !running.isEmpty();
          });
    } catch (SQLException | RuntimeException e) {
      if (FailureKind.of(e) != FailureKind.RACE) {
        throw e;
      }
      LOG.warn("sagas of repairs could not be settled; the next turn does it", e);
      return true;
    }
  }

  /** Asks one saga; false when there is none whose turn it is. */
  private boolean next() throws SQLException {
    AtomicReference<RepairMarks.@Nullable Due> taken = new AtomicReference<>();
    try {
      RepairOutcome outcome =
          unitOfWork.call(
              tx -> {
                RepairMarks.next(tx.connection()).ifPresent(taken::set);
                RepairMarks.Due due = taken.get();
                return due == null ? RepairOutcome.PENDING : ask(tx, due);
              });
      metrics.count(outcome);
      return taken.get() != null;
    } catch (SQLException | RuntimeException | Error failure) {
      RepairMarks.Due due = taken.get();
      if (due == null || FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      return note(due, failure);
    }
  }

  private RepairOutcome ask(Transaction tx, RepairMarks.Due due) throws SQLException {
    if (due.action().isFilteredAgain() && !repairs.isStillFound(tx, due)) {
      return refused(tx, due, "the filter does not find it any more");
    }
    OperatorAnswer answer = sagas.ask(tx, due.saga(), due);
    if (answer instanceof OperatorAnswer.Unknown && RepairMarks.unknown(tx.connection(), due)) {
      return RepairOutcome.PENDING;
    }
    if (!(answer instanceof OperatorAnswer.Done done)) {
      return refused(tx, due, answer.objection().orElseThrow());
    }
    RepairOutcome outcome =
        due.action().isDoneAtOnce() || done.saga().status().isEnd()
            ? RepairOutcome.REPAIRED
            : RepairOutcome.REQUESTED;
    RepairMarks.asked(tx.connection(), due, outcome);
    return outcome;
  }

  private static RepairOutcome refused(Transaction tx, RepairMarks.Due due, String why)
      throws SQLException {
    RepairMarks.refused(tx.connection(), due, why);
    return RepairOutcome.REFUSED;
  }

  /** Returns whether the others have their turn now: one that is locked may be followed by more. */
  private boolean note(RepairMarks.Due due, Throwable failure) throws SQLException {
    if (FailureKind.of(failure) == FailureKind.RACE) {
      LOG.debugf(failure, "saga %s is locked; it is repaired later", due.saga());
      unitOfWork.run(tx -> RepairMarks.locked(tx.connection(), due));
      return false;
    }
    LOG.warnf(failure, "saga %s could not be repaired by repair %s", due.saga(), due.repair());
    boolean isNoted = unitOfWork.call(tx -> RepairMarks.failed(tx.connection(), due, why(failure)));
    if (isNoted) {
      metrics.count(RepairOutcome.FAILED);
    }
    return true;
  }

  /** A message of an exception may quote a customer's data, and so is not stored. */
  private static String why(Throwable failure) {
    return failure instanceof SagaFailed && failure.getCause() != null
        ? "handling it failed: " + FailureReason.of(failure.getCause())
        : "the service failed; its log of now has the cause";
  }
}
