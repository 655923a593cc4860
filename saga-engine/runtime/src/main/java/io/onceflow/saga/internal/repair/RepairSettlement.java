package io.onceflow.saga.internal.repair;

import static java.util.Objects.requireNonNull;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Ends the marks of repairs: of sagas that were asked, and of repairs of which nothing is left. */
final class RepairSettlement {

  /** Keeps operators and other replicas from changing them until the transaction ends. */
  private static final String HOLD =
      """
      SELECT id
      FROM   saga_repair
      WHERE  finished_at IS NULL
      AND    status = 'RUNNING'
      FOR    NO KEY UPDATE SKIP LOCKED
      """;

  /**
   * A saga moves on by an answer, by its end, or by going back; that it is resent, which counts a
   * revision as well, or shows as STUCK is none. One that is gone has ended. Of each repair the
   * oldest are looked at: one whose sagas do not move on does not keep the others from it.
   */
  private static final String SETTLE =
      """
      WITH requested AS (
        SELECT item.*
        FROM   unnest(?::uuid[]) AS running (id)
        CROSS  JOIN LATERAL (
          SELECT   *
          FROM     saga_repair_item
          WHERE    repair_id = running.id
          AND      outcome = 'REQUESTED'
          ORDER BY at
          LIMIT    2000
        ) AS item
      ),
      looked_at AS (
        SELECT item.repair_id,
               item.saga_id,
               item.at < now() - make_interval(secs => ?) AS is_late,
               saga.id IS NULL
               OR saga.ended_at IS NOT NULL
               OR saga.revision > item.revision
                  AND (saga.status NOT IN (item.status, 'STUCK')
                       OR (SELECT count(replied_at) + count(compensation_replied_at)
                           FROM   saga_step
                           WHERE  saga_id = saga.id) > item.replies) AS has_moved_on
        FROM   requested item
        LEFT   JOIN saga_instance saga ON saga.id = item.saga_id
      )
      UPDATE saga_repair_item item
      SET    outcome = CASE WHEN has_moved_on THEN 'REPAIRED' ELSE 'FAILED' END,
             why = CASE WHEN has_moved_on THEN NULL ELSE ? END,
             at = clock_timestamp()
      FROM   looked_at
      WHERE  item.repair_id = looked_at.repair_id
      AND    item.saga_id = looked_at.saga_id
      AND    (is_late OR has_moved_on)
      RETURNING item.outcome
      """;

  private static final String DONE =
      """
      SELECT id
      FROM   saga_repair repair
      WHERE  id = ANY (?)
      AND    NOT EXISTS (SELECT
                         FROM   saga_repair_item
                         WHERE  repair_id = repair.id
                         AND    outcome IN ('PENDING', 'REQUESTED'))
      """;

  private RepairSettlement() {}

  /** Locks the repairs that run and that no other transaction has locked. */
  static List<UUID> hold(Connection tx) throws SQLException {
    return Sql.query(tx, HOLD, row -> requireNonNull(row.uuid("id")));
  }

  /** Settles sagas that were asked: those that have moved on, and those that took too long. */
  static List<RepairOutcome> settle(Connection tx, List<UUID> repairs, Duration movedOnWithin)
      throws SQLException {
    return Sql.query(
        tx,
        SETTLE,
        row -> requireNonNull(row.constant("outcome", RepairOutcome.class)),
        Column.uuids(repairs),
        movedOnWithin.toMillis() / 1e3,
        "it was requested, and has not moved on within " + movedOnWithin);
  }

  /** Those of which nothing is left to be done or to be waited for. */
  static List<UUID> done(Connection tx, List<UUID> repairs) throws SQLException {
    return Sql.query(tx, DONE, row -> requireNonNull(row.uuid("id")), Column.uuids(repairs));
  }
}
