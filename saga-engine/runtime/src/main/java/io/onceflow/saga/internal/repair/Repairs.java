package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaProblem;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.NotFoundException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with repairs. Each act is recorded in the audit log in its own transaction; the
 * work is done by {@link RepairTimer}, on any replica.
 */
@ApplicationScoped
class Repairs {

  private final UnitOfWork unitOfWork;
  private final RepairRows rows;
  private final RepairConfig config;

  Repairs(UnitOfWork unitOfWork, ObjectMapper json, RepairConfig config) {
    this.unitOfWork = unitOfWork;
    this.rows = new RepairRows(json);
    this.config = config;
  }

  /** Starts a repair of all sagas that its filter finds. */
  Repair start(NewRepair repair, SagaFilter filter, String by) throws SQLException {
    return start(repair, filter, null, by);
  }

  /**
   * Starts a repair, which marks its sagas; it waits for an approval if it undoes too many.
   *
   * @param some which of the sagas that the filter finds; null for all
   * @throws io.quarkiverse.resteasy.problem.HttpProblem when the same is under way
   */
  Repair start(NewRepair repair, SagaFilter filter, @Nullable List<UUID> some, String by)
      throws SQLException {
    UUID id = OutboxMessage.newId();
    return unitOfWork.call(
        tx -> {
          Connection connection = tx.connection();
          Optional<UUID> underWay = rows.insert(connection, id, repair, filter, by);
          if (underWay.isPresent()) {
            throw SagaProblem.Type.REPAIR_UNDER_WAY.because(
                "Repair %s does the same and is not finished.".formatted(underWay.get()));
          }
          int marked =
              some == null
                  ? RepairMarks.mark(connection, id, filter)
                  : RepairMarks.mark(connection, id, some);
          if (needsApproval(repair.action(), marked)) {
            RepairRows.change(connection, id, RepairStatus.AWAITING_APPROVAL, null);
          }
          String detail =
              "%s of %s, %s a second".formatted(repair.words(), rows.text(filter), repair.rate());
          record(tx, by, "repair-start", id, repair.reason(), detail);
          return found(connection, id);
        });
  }

  private boolean needsApproval(SagaDetails.Kind action, int sagas) {
    int above = config.secondOperator().above();
    return above > 0 && action.undoes() && sagas > above;
  }

  /** By which two repairs are the same. */
  byte[] hash(SagaDetails.Kind action, SagaFilter filter) {
    return rows.hash(action, filter);
  }

  /** Holds a running repair; what was asked of sagas stays. */
  Repair pause(UUID id, String by, @Nullable String why) throws SQLException {
    return change(id, by, why, "repair-pause", RepairStatus.PAUSED, RepairStatus.RUNNING);
  }

  /** Lets a paused repair continue. */
  Repair resume(UUID id, String by, @Nullable String why) throws SQLException {
    return change(id, by, why, "repair-resume", RepairStatus.RUNNING, RepairStatus.PAUSED);
  }

  /** Ends a repair; what is pending is left as it is. */
  Repair stop(UUID id, String by, @Nullable String why) throws SQLException {
    return change(
        id,
        by,
        why,
        "repair-stop",
        RepairStatus.STOPPED,
        RepairStatus.RUNNING,
        RepairStatus.PAUSED,
        RepairStatus.AWAITING_APPROVAL);
  }

  /**
   * Approves a repair as a second operator.
   *
   * @throws io.quarkiverse.resteasy.problem.HttpProblem when the caller started it
   */
  Repair approve(UUID id, String by, @Nullable String why) throws SQLException {
    return change(
        id, by, why, "repair-approve", RepairStatus.RUNNING, RepairStatus.AWAITING_APPROVAL);
  }

  private Repair change(
      UUID id, String by, @Nullable String why, String act, RepairStatus to, RepairStatus... from)
      throws SQLException {
    return unitOfWork.call(
        tx -> {
          Repair repair = RepairRows.lock(tx.connection(), id).orElseThrow(() -> none(id));
          List<RepairStatus> allowed = List.of(from);
          if (!allowed.contains(repair.status())) {
            throw SagaProblem.Type.REPAIR_REFUSES.because(
                "Repair %s is %s; %s is for one that is %s."
                    .formatted(
                        id,
                        repair.status(),
                        act,
                        String.join(" or ", allowed.stream().map(Enum::name).toList())));
          }
          boolean approves = allowed.equals(List.of(RepairStatus.AWAITING_APPROVAL));
          if (approves && repair.startedBy().equals(by)) {
            throw SagaProblem.Type.SECOND_OPERATOR_NEEDED.because(
                "%s started repair %s; another operator has to approve it.".formatted(by, id));
          }
          RepairRows.change(tx.connection(), id, to, approves ? by : null);
          record(tx, by, act, id, why, progress(repair));
          return found(tx.connection(), id);
        });
  }

  private static NotFoundException none(UUID id) {
    return new NotFoundException("There is no repair %s.".formatted(id));
  }

  /** How far a repair has come, for the audit log. */
  private static String progress(Repair repair) {
    Repair.Done done = repair.done();
    return "of %s sagas: %s repaired, %s requested, %s failed, %s refused, %s pending"
        .formatted(
            repair.total(),
            done.repaired(),
            done.requested(),
            done.failed(),
            done.refused(),
            done.pending());
  }

  /**
   * Settles the sagas that were asked, and ends the repairs of which nothing is left.
   *
   * @param held repairs that are locked
   */
  void settle(Transaction tx, List<UUID> held, RepairMetrics metrics) throws SQLException {
    List<RepairOutcome> settled =
        RepairSettlement.settle(tx.connection(), held, config.movedOnWithin());
    tx.afterCommit(() -> settled.forEach(metrics::count));
    for (UUID id : RepairSettlement.done(tx.connection(), held)) {
      RepairRows.change(tx.connection(), id, RepairStatus.FINISHED, null);
      Repair repair = found(tx.connection(), id);
      record(tx, repair.startedBy(), "repair-finish", id, null, progress(repair));
    }
  }

  /**
   * It was marked a while ago, perhaps before a second operator approved, and may have continued.
   */
  boolean isStillFound(Transaction tx, RepairMarks.Due due) throws SQLException {
    return SagaList.lock(tx.connection(), due.saga(), rows.filter(due.filter()));
  }

  /**
   * A repair.
   *
   * @throws NotFoundException when there is none
   */
  Repair read(UUID id) throws SQLException {
    return unitOfWork.call(tx -> found(tx.connection(), id));
  }

  /** The newest first. */
  List<Repair> newest(@Nullable UUID before, int limit) throws SQLException {
    return newest(null, before, limit);
  }

  /** Those that a saga is or was marked by; null for all. */
  List<Repair> newest(@Nullable UUID saga, @Nullable UUID before, int limit) throws SQLException {
    return unitOfWork.call(tx -> RepairRows.newest(tx.connection(), saga, before, limit));
  }

  /** The sagas of a repair, by their ids. */
  List<RepairedSaga> sagas(
      UUID repair, @Nullable RepairOutcome outcome, @Nullable UUID after, int limit)
      throws SQLException {
    return unitOfWork.call(
        tx -> {
          found(tx.connection(), repair);
          return RepairRows.sagas(tx.connection(), repair, outcome, after, limit);
        });
  }

  private static Repair found(Connection tx, UUID id) throws SQLException {
    return RepairRows.find(tx, id).orElseThrow(() -> none(id));
  }

  private static void record(
      Transaction tx,
      String by,
      String act,
      UUID repair,
      @Nullable String reason,
      @Nullable String detail)
      throws SQLException {
    AuditLog.record(
        tx.connection(), new AuditEntry(by, act, AuditSubject.repair(repair), reason, detail));
  }
}
