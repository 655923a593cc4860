package io.onceflow.saga.internal.repair;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.database.RowFailures;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.repair.RepairItems.Asked;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.onceflow.saga.internal.store.failure.FailureReason;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a process at the repairs that it holds: chooses their sagas, page by page; acts on as
 * many as the rate allows, each in a transaction of its own in which that is noted, too; and looks
 * which of those that were asked have moved on. Whatever a process leaves undone, the next one
 * does.
 */
final class RepairTurn {

  private static final Logger LOG = Logger.getLogger(RepairTurn.class);

  /** Sagas that are chosen in one transaction: each page reads all open sagas, to sort them. */
  static final int CHOSEN_PAGE = 5_000;

  /** Such pages in a turn: a second or two, far less than a lease. */
  private static final int CHOSEN_PAGES = 4;

  /** Sagas that are looked at in one transaction. */
  private static final int PAGE = 500;

  /** Such pages in a turn. */
  private static final int PAGES = 20;

  private final UnitOfWork unitOfWork;
  private final RepairLease lease;
  private final RepairRows rows;
  private final SagaRequests sagas;
  private final RepairConfig config;
  private final RepairMetrics metrics;
  private final BooleanSupplier isRunning;
  private final RowFailures<UUID> failures = new RowFailures<>("saga_repair");

  /**
   * @param isRunning false once the process is to stop: nothing more is begun then
   */
  RepairTurn(
      UnitOfWork unitOfWork,
      RepairLease lease,
      RepairRows rows,
      SagaRequests sagas,
      RepairConfig config,
      RepairMetrics metrics,
      BooleanSupplier isRunning) {
    this.unitOfWork = unitOfWork;
    this.lease = lease;
    this.rows = rows;
    this.sagas = sagas;
    this.config = config;
    this.metrics = metrics;
    this.isRunning = isRunning;
  }

  /**
   * Takes a turn at every repair that this process holds or can get.
   *
   * @return whether there was any
   * @throws SQLException when the database is away; the next turn goes on
   */
  boolean take() throws SQLException {
    @Nullable UUID first = takeNext(RepairLease.first());
    @Nullable UUID last = first;
    while (last != null) {
      last = takeNext(last);
    }
    return first != null;
  }

  /** The repair that had its turn; null when there is none after this one. */
  private @Nullable UUID takeNext(UUID after) throws SQLException {
    try {
      Optional<LeasedRepair> next = unitOfWork.call(tx -> lease.claim(tx.connection(), after));
      if (next.isEmpty() || !isRunning.getAsBoolean()) {
        return null;
      }
      takeAt(next.get());
      return next.get().id();
    } catch (RepairUnreadable unreadable) {
      failures.handle(
          unreadable.id(),
          () -> {
            throw unreadable;
          });
      return unreadable.id();
    }
  }

  /** What keeps one repair from going on, such as a filter that takes too long, keeps no other. */
  private void takeAt(LeasedRepair repair) throws SQLException {
    try {
      workOn(repair);
    } catch (LeaseLost lost) {
      LOG.infof("repair %s is not worked on here any more", repair.id());
    } catch (SQLException | RuntimeException failure) {
      if (FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      LOG.warnf(failure, "repair %s could not go on; tried again at the next turn", repair.id());
    }
  }

  private void workOn(LeasedRepair repair) throws SQLException {
    if (!repair.hasChosenAll()) {
      choose(repair);
      return;
    }
    actOnThoseThatAreDue(repair);
    lookAtThoseThatWereAsked(repair);
    finishIfDone(repair);
  }

  private void choose(LeasedRepair repair) throws SQLException {
    @Nullable UUID position = repair.position();
    for (int page = 0; page < CHOSEN_PAGES && isRunning.getAsBoolean(); page++) {
      UUID after = position;
      List<SagaSummary> found = unitOfWork.call(tx -> choosePage(tx, repair, after));
      if (found.size() < CHOSEN_PAGE) {
        return;
      }
      position = found.getLast().id();
    }
  }

  /** Sagas that were started later are not what the operator has seen. */
  private List<SagaSummary> choosePage(Transaction tx, LeasedRepair repair, @Nullable UUID after)
      throws SQLException {
    List<SagaSummary> found =
        SagaList.find(tx.connection(), repair.filter().page(after, CHOSEN_PAGE));
    List<UUID> chosen =
        found.stream()
            .filter(saga -> !saga.startedAt().isAfter(repair.startedAt()))
            .map(SagaSummary::id)
            .toList();
    boolean isHeld =
        RepairItems.add(
            tx.connection(),
            repair,
            chosen,
            found.isEmpty() ? null : found.getLast().id(),
            found.size() < CHOSEN_PAGE,
            mostWithoutApproval(repair.action()));
    if (!isHeld) {
      throw new LeaseLost();
    }
    return found;
  }

  private int mostWithoutApproval(RepairAction action) {
    return Repairs.mostWithoutApproval(config, action);
  }

  private void actOnThoseThatAreDue(LeasedRepair repair) throws SQLException {
    List<UUID> due =
        unitOfWork.call(
            tx ->
                RepairItems.pending(
                    tx.connection(), repair, RepairLease.spend(tx.connection(), repair)));
    long until = System.nanoTime() + config.lease().toNanos() / 3;
    for (UUID saga : due) {
      if (!isRunning.getAsBoolean() || System.nanoTime() - until > 0) {
        return;
      }
      act(repair, saga);
    }
  }

  private void act(LeasedRepair repair, UUID saga) throws SQLException {
    try {
      metrics.count(unitOfWork.call(tx -> ask(tx, repair, saga)));
    } catch (LeaseLost lost) {
      throw lost;
    } catch (SQLException | RuntimeException | Error failure) {
      FailureKind kind = FailureKind.of(failure);
      if (kind == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      if (kind == FailureKind.RACE) {
        LOG.debugf(failure, "saga %s is locked; repaired at a later turn", saga);
        return;
      }
      LOG.warnf(failure, "saga %s could not be repaired by repair %s", saga, repair.id());
      noteFailure(repair, saga, why(failure));
    }
  }

  /** The repair's row is locked first: once it is stopped, no saga is asked any more. */
  private RepairOutcome ask(Transaction tx, LeasedRepair repair, UUID saga) throws SQLException {
    hold(tx, repair);
    if (repair.action().undoes() && !isStillFound(tx, repair, saga)) {
      return refused(tx, repair, saga, "the filter does not find it any more");
    }
    OperatorAnswer answer =
        sagas.ask(tx, saga, repair.action().request(repair.startedBy(), repair.told()));
    return switch (answer) {
      case OperatorAnswer.Done done -> {
        RepairOutcome outcome =
            done.saga().status().isEnd() ? RepairOutcome.REPAIRED : RepairOutcome.REQUESTED;
        RepairItems.asked(tx.connection(), repair, saga, outcome);
        yield outcome;
      }
      case OperatorAnswer.Refused refused -> refused(tx, repair, saga, refused.why());
      case OperatorAnswer.Unknown unknown ->
          refused(tx, repair, saga, "it is gone, or its version is not known to this process");
    };
  }

  /** It was chosen a while ago, perhaps before a second operator approved, and may have gone on. */
  private static boolean isStillFound(Transaction tx, LeasedRepair repair, UUID saga)
      throws SQLException {
    return SagaList.lock(tx.connection(), saga, repair.filter().page(null, 1));
  }

  private static RepairOutcome refused(Transaction tx, LeasedRepair repair, UUID saga, String why)
      throws SQLException {
    RepairItems.endedBadly(tx.connection(), repair, saga, RepairOutcome.REFUSED, why);
    return RepairOutcome.REFUSED;
  }

  private void noteFailure(LeasedRepair repair, UUID saga, String why) throws SQLException {
    unitOfWork.run(
        tx -> {
          hold(tx, repair);
          RepairItems.endedBadly(tx.connection(), repair, saga, RepairOutcome.FAILED, why);
        });
    metrics.count(RepairOutcome.FAILED);
  }

  /** A message of an exception may quote a customer's data, and so is not stored. */
  private static String why(Throwable failure) {
    return failure instanceof SagaFailed && failure.getCause() != null
        ? "handling it failed: " + FailureReason.of(failure.getCause())
        : "the service failed; its log of now has the cause";
  }

  private void lookAtThoseThatWereAsked(LeasedRepair repair) throws SQLException {
    UUID after = RepairLease.first();
    for (int page = 0; page < PAGES && isRunning.getAsBoolean(); page++) {
      UUID last = after;
      List<Asked> looked = unitOfWork.call(tx -> look(tx, repair, last));
      if (looked.size() < PAGE) {
        return;
      }
      after = looked.getLast().saga();
    }
  }

  private List<Asked> look(Transaction tx, LeasedRepair repair, UUID after) throws SQLException {
    List<Asked> looked =
        RepairItems.look(tx.connection(), repair, after, PAGE, config.movedOnWithin());
    List<UUID> moved = looked.stream().filter(Asked::hasMovedOn).map(Asked::saga).toList();
    List<UUID> late =
        looked.stream().filter(it -> it.isLate() && !it.hasMovedOn()).map(Asked::saga).toList();
    if (!moved.isEmpty() || !late.isEmpty()) {
      hold(tx, repair);
      settle(tx, repair, moved, RepairOutcome.REPAIRED, null);
      settle(
          tx,
          repair,
          late,
          RepairOutcome.FAILED,
          "it was asked, and has not moved on within " + config.movedOnWithin());
    }
    return looked;
  }

  private void settle(
      Transaction tx,
      LeasedRepair repair,
      List<UUID> sagas,
      RepairOutcome outcome,
      @Nullable String why)
      throws SQLException {
    int settled = RepairItems.settle(tx.connection(), repair, sagas, outcome, why);
    tx.afterCommit(() -> metrics.count(outcome, settled));
  }

  private void finishIfDone(LeasedRepair repair) throws SQLException {
    unitOfWork.run(
        tx -> {
          hold(tx, repair);
          if (RepairItems.areDone(tx.connection(), repair)) {
            finish(tx, repair);
          }
        });
  }

  private void finish(Transaction tx, LeasedRepair repair) throws SQLException {
    RepairRows.change(tx.connection(), repair.id(), RepairStatus.FINISHED, null);
    AuditLog.record(
        tx.connection(),
        new AuditEntry(
            repair.startedBy(),
            "repair-finish",
            AuditSubject.repair(repair.id()),
            null,
            rows.find(tx.connection(), repair.id()).map(Repairs::progress).orElse(null)));
  }

  private static void hold(Transaction tx, LeasedRepair repair) throws SQLException {
    if (!RepairLease.hold(tx.connection(), repair)) {
      throw new LeaseLost();
    }
  }

  /** Another process has the repair, or it does not run any more. */
  private static final class LeaseLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaseLost() {
      super("the repair is not this process's any more", null, false, false);
    }
  }
}
