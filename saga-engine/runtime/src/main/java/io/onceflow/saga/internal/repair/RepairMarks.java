package io.onceflow.saga.internal.repair;

import static java.util.Objects.requireNonNull;

import io.onceflow.internal.database.SocketDeadline;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code saga_repair_item}: the marks of repairs on sagas, as the timer carries them out. */
final class RepairMarks {

  /** Longer than marking a hundred thousand sagas takes. */
  private static final String AT_MOST = "SET LOCAL statement_timeout = '30s'";

  /** The server's timeout comes first and has a message; this one is for a silent server. */
  private static final Duration SILENT_AT_MOST = Duration.ofSeconds(35);

  private static final String MARK = "INSERT INTO saga_repair_item (repair_id, saga_id)";

  /** The allowance grows with time and is kept for a second at most. */
  private static final String SPENT =
      """
      greatest(least(spent_until, now()), now() - interval '1 s') + interval '1 s' / per_second\
      """;

  /**
   * The allowance is in the row, so that it is one for all replicas. One that is further ahead than
   * a second was spent before the clock was set back.
   */
  private static final String SPEND =
      """
      WITH next AS (
        SELECT   id
        FROM     saga_repair repair
        WHERE    finished_at IS NULL
        AND      status = 'RUNNING'
        AND      (spent_until + interval '1 s' / per_second <= now()
                  OR spent_until > now() + interval '2 s')
        AND      EXISTS (SELECT
                         FROM   saga_repair_item
                         WHERE  repair_id = repair.id
                         AND    outcome = 'PENDING')
        ORDER BY spent_until                          -- each repair has its turn
        LIMIT    1
        FOR      NO KEY UPDATE SKIP LOCKED            -- another replica carries it out
      )
      UPDATE saga_repair repair
      SET    spent_until = %s
      FROM   next
      WHERE  repair.id = next.id
      RETURNING repair.id, action, filter, reason, until, to_version, started_by
      """
          .formatted(SPENT);

  /** What was spent for a saga that failed was rolled back with it. */
  private static final String SPEND_ONE =
      """
      UPDATE saga_repair
      SET    spent_until = %s
      WHERE  id = ?
      AND    status = 'RUNNING'
      """
          .formatted(SPENT);

  /** Ahead of the other repairs, which have the allowance of a second at most. */
  private static final String REST =
      """
      UPDATE saga_repair
      SET    spent_until = now() + interval '1 s'
      WHERE  id = ?
      AND    status = 'RUNNING'
      """;

  /** After the repair was locked: what another replica has carried out is seen then. */
  private static final String PENDING =
      """
      SELECT   saga_id
      FROM     saga_repair_item
      WHERE    repair_id = ?
      AND      outcome = 'PENDING'
      ORDER BY at
      LIMIT    1
      """;

  /** Notes where the saga stands now, after the action. */
  private static final String ASKED =
      """
      UPDATE saga_repair_item
      SET    outcome  = ?,
             at       = clock_timestamp(),
             revision = saga.revision,
             status   = saga.status,
             replies  = (SELECT count(replied_at) + count(compensation_replied_at)
                         FROM   saga_step
                         WHERE  saga_id = saga.id)
      FROM   saga_instance saga
      WHERE  repair_id = ?
      AND    saga_id = ?
      AND    saga.id = saga_id
      """;

  private static final String ENDED_BADLY =
      """
      UPDATE saga_repair_item
      SET    outcome = ?, why = ?, at = clock_timestamp()
      WHERE  repair_id = ?
      AND    saga_id = ?
      AND    outcome = 'PENDING'
      """;

  private static final String PUT_BEHIND =
      """
      UPDATE saga_repair_item
      SET    at = clock_timestamp()
      WHERE  repair_id = ?
      AND    saga_id = ?
      AND    outcome = 'PENDING'
      """;

  private static final String PUT_BEHIND_IF_OPEN =
      PUT_BEHIND
          + """
          AND    EXISTS (SELECT
                         FROM   saga_instance
                         WHERE  id = saga_id
                         AND    ended_at IS NULL)
          """;

  private RepairMarks() {}

  /**
   * A saga whose turn it is.
   *
   * @param filter as JSON
   * @param reason in the operator's words; null when nothing was said
   * @param until the end of a hold; null for none
   * @param version to which it is migrated; null for other actions
   */
  record Due(
      UUID repair,
      UUID saga,
      SagaDetails.Kind action,
      String filter,
      @Nullable String reason,
      @Nullable Instant until,
      @Nullable Integer version,
      String startedBy) {

    /** For the history of each saga. */
    private String why() {
      return reason == null ? "repair " + repair : "repair %s: %s".formatted(repair, reason);
    }

    SagaDetails.Asked asked() {
      return new SagaDetails.Asked(startedBy, why(), until, version);
    }

    private static Due of(Row row, UUID saga) throws SQLException {
      return new Due(
          requireNonNull(row.uuid("id")),
          saga,
          requireNonNull(row.constant("action", SagaDetails.Kind.class)),
          requireNonNull(row.text("filter")),
          row.text("reason"),
          row.time("until"),
          RepairRows.toVersion(row),
          requireNonNull(row.text("started_by")));
    }
  }

  /** Marks all sagas that the filter finds; returns how many. */
  static int mark(Connection tx, UUID repair, SagaFilter filter) throws SQLException {
    Sql.update(tx, AT_MOST);
    SocketDeadline deadline = SocketDeadline.of(tx, SILENT_AT_MOST);
    try (deadline) {
      return SagaList.insert(tx, MARK, repair, filter);
    }
  }

  /** Marks these sagas; returns how many. */
  static int mark(Connection tx, UUID repair, List<UUID> sagas) throws SQLException {
    return Sql.update(tx, MARK + " SELECT ?, unnest(?::uuid[])", repair, Column.uuids(sagas));
  }

  /**
   * The next saga of the repair that has waited longest, if its rate allows one now. The repair is
   * locked until the transaction ends: once a stop or pause is answered, no saga is asked any more.
   */
  static Optional<Due> next(Connection tx) throws SQLException {
    return Sql.find(tx, SPEND, row -> due(tx, row)).flatMap(it -> it);
  }

  private static Optional<Due> due(Connection tx, Row repair) throws SQLException {
    Optional<UUID> saga =
        Sql.find(tx, PENDING, row -> requireNonNull(row.uuid("saga_id")), repair.uuid("id"));
    return saga.isPresent() ? Optional.of(Due.of(repair, saga.get())) : Optional.empty();
  }

  /** The action was carried out, in the same transaction. */
  static void asked(Connection tx, Due due, RepairOutcome outcome) throws SQLException {
    Sql.update(tx, ASKED, outcome, due.repair(), due.saga());
  }

  /** The action refuses, in the same transaction. */
  static void refused(Connection tx, Due due, String why) throws SQLException {
    Sql.update(tx, ENDED_BADLY, RepairOutcome.REFUSED, why, due.repair(), due.saga());
  }

  /**
   * The action failed, and its transaction was rolled back: the repair has used its rate
   * nevertheless.
   *
   * @return false when another replica has carried it out meanwhile
   */
  static boolean failed(Connection tx, Due due, String why) throws SQLException {
    // First, as where the next one is taken: in another order the two could deadlock.
    Sql.update(tx, SPEND_ONE, due.repair());
    return Sql.update(tx, ENDED_BADLY, RepairOutcome.FAILED, why, due.repair(), due.saga()) == 1;
  }

  /**
   * The saga is locked: the others of the repair come first, and before them the other repairs,
   * which have waited for the lock as well: this one rests for a second.
   */
  static void locked(Connection tx, Due due) throws SQLException {
    Sql.update(tx, REST, due.repair());
    Sql.update(tx, PUT_BEHIND, due.repair(), due.saga());
  }

  /**
   * The saga is not known here: the others come first, as another replica may know it.
   *
   * @return false when it is gone or has ended, and it is not possible
   */
  static boolean unknown(Connection tx, Due due) throws SQLException {
    return Sql.update(tx, PUT_BEHIND_IF_OPEN, due.repair(), due.saga()) == 1;
  }
}
