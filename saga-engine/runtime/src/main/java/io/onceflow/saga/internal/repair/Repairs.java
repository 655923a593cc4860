package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.repair.RepairRefused.Because;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with repairs. Each act is recorded in the audit log in its own transaction; the
 * work is done by {@link RepairJob}, on any replica.
 */
@ApplicationScoped
class Repairs {

  private final UnitOfWork unitOfWork;
  private final RepairRows rows;
  private final RepairConfig config;

  @Inject
  Repairs(UnitOfWork unitOfWork, ObjectMapper json, RepairConfig config) {
    this.unitOfWork = unitOfWork;
    this.rows = new RepairRows(json);
    this.config = config;
  }

  /** How many sagas may be acted on without a second operator. */
  static int mostWithoutApproval(RepairConfig config, RepairAction action) {
    int above = config.secondOperator().above();
    return above > 0 && action.undoes() ? above : Integer.MAX_VALUE;
  }

  /**
   * Starts a repair; it waits for an approval if it needs one.
   *
   * @throws RepairRefused when the same is under way
   */
  Repair start(NewRepair repair, String by) throws SQLException {
    UUID id = OutboxMessage.newId();
    return unitOfWork.call(
        tx -> {
          Connection connection = tx.connection();
          Optional<UUID> underWay =
              rows.insert(connection, id, repair, firstStatus(connection, repair), by);
          if (underWay.isPresent()) {
            throw new RepairRefused(
                Because.UNDER_WAY,
                "Repair %s does the same and is not finished.".formatted(underWay.get()));
          }
          record(tx, by, "repair-start", id, repair.reason(), detail(repair));
          return found(connection, id);
        });
  }

  private String detail(NewRepair repair) {
    return "%s of %s, %s a second"
        .formatted(repair.action().word(), rows.text(repair.filter()), repair.rate());
  }

  /**
   * They are counted up to a bound only, and more may match by the time they are chosen: the repair
   * waits nevertheless then.
   */
  private RepairStatus firstStatus(Connection tx, NewRepair repair) throws SQLException {
    int most = mostWithoutApproval(config, repair.action());
    return most < Integer.MAX_VALUE && RepairForecast.count(tx, repair.filter()) > most
        ? RepairStatus.AWAITING_APPROVAL
        : RepairStatus.RUNNING;
  }

  /** Holds a running repair; what was asked of sagas stays. */
  Repair pause(UUID id, String by, @Nullable String why) throws SQLException {
    return change(id, by, why, "repair-pause", RepairStatus.PAUSED, RepairStatus.RUNNING);
  }

  /** Lets a paused repair go on. */
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
   * @throws RepairRefused when the caller started it
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
          Repair repair = rows.lock(tx.connection(), id).orElseThrow(() -> none(id));
          requireOneOf(repair, Set.of(from), act);
          boolean approves = to == RepairStatus.RUNNING && repair.status() != RepairStatus.PAUSED;
          if (approves) {
            requireApprovable(repair, by);
          }
          RepairRows.change(tx.connection(), id, to, approves ? by : null);
          record(tx, by, act, id, why, progress(repair));
          return found(tx.connection(), id);
        });
  }

  /** Whoever approves knows of how many sagas. */
  private static void requireApprovable(Repair repair, String by) {
    if (repair.startedBy().equals(by)) {
      throw new RepairRefused(
          Because.SECOND_OPERATOR_NEEDED,
          "%s started repair %s; another operator has to approve it.".formatted(by, repair.id()));
    }
    if (repair.choosing()) {
      throw new RepairRefused(
          Because.REFUSES,
          "The sagas of repair %s are still being chosen; approve it when it is known how many."
              .formatted(repair.id()));
    }
  }

  private static void requireOneOf(Repair repair, Set<RepairStatus> allowed, String act) {
    if (!allowed.contains(repair.status())) {
      throw new RepairRefused(
          Because.REFUSES,
          "Repair %s is %s; %s is for one that is %s."
              .formatted(repair.id(), repair.status(), act, String.join(" or ", names(allowed))));
    }
  }

  private static List<String> names(Set<RepairStatus> allowed) {
    return EnumSet.copyOf(allowed).stream().map(Enum::name).toList();
  }

  private static RepairRefused none(UUID id) {
    return new RepairRefused(Because.UNKNOWN, "There is no repair %s.".formatted(id));
  }

  /** How far a repair has come, for the audit log. */
  static String progress(Repair repair) {
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
   * A repair.
   *
   * @throws RepairRefused when there is none
   */
  Repair read(UUID id) throws SQLException {
    return unitOfWork.call(tx -> rows.find(tx.connection(), id)).orElseThrow(() -> none(id));
  }

  /** The newest first. */
  List<Repair> newest(@Nullable UUID before, int limit) throws SQLException {
    return unitOfWork.call(tx -> rows.newest(tx.connection(), before, limit));
  }

  /** The sagas of a repair, by their ids. */
  List<RepairedSaga> sagas(
      UUID repair, @Nullable RepairOutcome outcome, @Nullable UUID after, int limit)
      throws SQLException {
    return unitOfWork.call(tx -> RepairRows.sagas(tx.connection(), repair, outcome, after, limit));
  }

  private Repair found(Connection tx, UUID id) throws SQLException {
    return rows.find(tx, id).orElseThrow(() -> none(id));
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
