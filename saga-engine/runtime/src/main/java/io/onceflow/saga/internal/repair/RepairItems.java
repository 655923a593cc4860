package io.onceflow.saga.internal.repair;

import static java.util.Objects.requireNonNull;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code saga_repair_item} and the counts of its outcomes in {@code saga_repair}, which are written
 * in the same transactions.
 */
final class RepairItems {

  private static final String ADD =
      """
      INSERT INTO saga_repair_item (repair_id, saga_id)
      SELECT ?, unnest(?)
      ON CONFLICT DO NOTHING
      """;

  private static final String CHOSEN =
      """
      UPDATE saga_repair
      SET    pending = pending + ?,
             position = coalesce(?, position),
             chosen_all = ?,
             status = CASE WHEN ? < pending + ? AND approved_by IS NULL THEN 'AWAITING_APPROVAL' ELSE status END,
             progressed_at = now()
      WHERE  id = ?
      AND    fencing_token = ?
      AND    status IN ('RUNNING', 'AWAITING_APPROVAL')
      """;

  private static final String PENDING =
      """
      SELECT   saga_id
      FROM     saga_repair_item
      WHERE    repair_id = ?
      AND      outcome = 'PENDING'
      ORDER BY saga_id
      LIMIT    ?
      """;

  /** Marks where the saga stands now, after the action. */
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
      AND    outcome = 'PENDING'
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

  /**
   * A saga moves on by an answer, by its end, or by going back; that it is sent again, which counts
   * a revision as well, or shows as STUCK is none. One that is gone has ended.
   */
  private static final String LOOK =
      """
      WITH looked_at AS (
        SELECT   *
        FROM     saga_repair_item
        WHERE    repair_id = ?
        AND      outcome = 'REQUESTED'
        AND      saga_id > ?
        ORDER BY saga_id
        LIMIT    ?
      )
      SELECT item.saga_id,
             item.at < now() - make_interval(secs => ?) AS is_late,
             saga.id IS NULL
             OR saga.ended_at IS NOT NULL
             OR saga.revision > item.revision
                AND (saga.status NOT IN (item.status, 'STUCK')
                     OR (SELECT count(replied_at) + count(compensation_replied_at)
                         FROM   saga_step
                         WHERE  saga_id = saga.id) > item.replies) AS has_moved_on
      FROM   looked_at item
      LEFT   JOIN saga_instance saga ON saga.id = item.saga_id
      ORDER  BY item.saga_id
      """;

  private static final String SETTLE =
      """
      UPDATE saga_repair_item
      SET    outcome = ?, why = ?, at = clock_timestamp()
      WHERE  repair_id = ?
      AND    saga_id = ANY (?)
      AND    outcome = 'REQUESTED'
      """;

  private static final String COUNT =
      """
      UPDATE saga_repair
      SET    pending   = pending + ?,
             requested = requested + ?,
             repaired  = repaired + ?,
             failed    = failed + ?,
             refused   = refused + ?,
             progressed_at = now()
      WHERE  id = ?
      """;

  private static final String IS_DONE =
      """
      SELECT FROM saga_repair
      WHERE  id = ?
      AND    chosen_all
      AND    pending = 0
      AND    requested = 0
      """;

  private RepairItems() {}

  /**
   * A saga that was asked to move on.
   *
   * @param isLate whether that was too long ago
   */
  record Asked(UUID saga, boolean hasMovedOn, boolean isLate) {}

  /**
   * Adds the sagas of a page.
   *
   * @param position the last saga that was looked at; null where there was none
   * @param isLast whether no page follows
   * @param most the repair waits for an approval when it has more sagas than this
   * @return whether the repair is still this process's
   */
  static boolean add(
      Connection tx,
      LeasedRepair repair,
      Collection<UUID> sagas,
      @Nullable UUID position,
      boolean isLast,
      int most)
      throws SQLException {
    int added = Sql.update(tx, ADD, repair.id(), Column.uuids(sagas));
    return Sql.update(tx, CHOSEN, added, position, isLast, most, added, repair.id(), repair.token())
        == 1;
  }

  /** The next sagas to act on. */
  static List<UUID> pending(Connection tx, LeasedRepair repair, int limit) throws SQLException {
    return Sql.query(tx, PENDING, row -> requireNonNull(row.uuid("saga_id")), repair.id(), limit);
  }

  /** The action was carried out, in the same transaction. */
  static void asked(Connection tx, LeasedRepair repair, UUID saga, RepairOutcome outcome)
      throws SQLException {
    count(
        tx,
        repair,
        RepairOutcome.PENDING,
        outcome,
        Sql.update(tx, ASKED, outcome, repair.id(), saga));
  }

  /** It was not carried out. */
  static void endedBadly(
      Connection tx, LeasedRepair repair, UUID saga, RepairOutcome outcome, String why)
      throws SQLException {
    count(
        tx,
        repair,
        RepairOutcome.PENDING,
        outcome,
        Sql.update(tx, ENDED_BADLY, outcome, why, repair.id(), saga));
  }

  /** Sagas that were asked to move on, by their ids, and whether they have. */
  static List<Asked> look(
      Connection tx, LeasedRepair repair, UUID after, int limit, Duration movedOnWithin)
      throws SQLException {
    return Sql.query(
        tx,
        LOOK,
        row ->
            new Asked(
                requireNonNull(row.uuid("saga_id")),
                row.truth("has_moved_on"),
                row.truth("is_late")),
        repair.id(),
        after,
        limit,
        movedOnWithin.toMillis() / 1e3);
  }

  /**
   * Sagas that were asked to move on have, or will not be waited for any more.
   *
   * @param why null unless they failed
   * @return how many
   */
  static int settle(
      Connection tx,
      LeasedRepair repair,
      Collection<UUID> sagas,
      RepairOutcome outcome,
      @Nullable String why)
      throws SQLException {
    int settled = Sql.update(tx, SETTLE, outcome, why, repair.id(), Column.uuids(sagas));
    count(tx, repair, RepairOutcome.REQUESTED, outcome, settled);
    return settled;
  }

  /** Whether nothing is left to be done or to be waited for. */
  static boolean areDone(Connection tx, LeasedRepair repair) throws SQLException {
    return !Sql.query(tx, IS_DONE, row -> true, repair.id()).isEmpty();
  }

  private static void count(
      Connection tx, LeasedRepair repair, RepairOutcome from, RepairOutcome to, int sagas)
      throws SQLException {
    int[] change = new int[RepairOutcome.values().length];
    change[from.ordinal()] -= sagas;
    change[to.ordinal()] += sagas;
    Sql.update(
        tx,
        COUNT,
        change[RepairOutcome.PENDING.ordinal()],
        change[RepairOutcome.REQUESTED.ordinal()],
        change[RepairOutcome.REPAIRED.ordinal()],
        change[RepairOutcome.FAILED.ordinal()],
        change[RepairOutcome.REFUSED.ordinal()],
        repair.id());
  }
}
