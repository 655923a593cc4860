package io.onceflow.saga.internal.repair;

import static java.util.Objects.requireNonNull;

import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Who works on a repair. One process at a time holds the lease; a fencing token refuses what an
 * earlier holder writes that was only slow and has not noticed that its lease is over.
 */
final class RepairLease {

  private static final String NONE = "00000000-0000-0000-0000-000000000000";

  /** Where the repair goes on; those that wait for an approval still choose their sagas. */
  private static final String CLAIM =
      """
      UPDATE saga_repair
      SET    fencing_token    = fencing_token + CASE WHEN owner = ? THEN 0 ELSE 1 END,
             owner            = ?,
             lease_expires_at = now() + make_interval(secs => ?)
      WHERE  id = (SELECT   id
                   FROM     saga_repair
                   WHERE    finished_at IS NULL
                   AND      (status = 'RUNNING' OR status = 'AWAITING_APPROVAL' AND NOT chosen_all)
                   AND      (owner = ? OR lease_expires_at IS NULL OR %s)
                   AND      id > ?
                   ORDER BY id
                   LIMIT    1
                   FOR NO KEY UPDATE SKIP LOCKED)      -- another replica is claiming it
      RETURNING id, fencing_token, action, filter, reason, status, started_by, started_at, position,
                chosen_all
      """
          .formatted(LeaseCondition.isOver("lease_expires_at", "make_interval(secs => ?)"));

  /**
   * The allowance grows with time and is kept for a second at most; it is in the row, so that it is
   * one for all replicas.
   */
  private static final String SPEND =
      """
      WITH allowance AS (
        SELECT id,
               greatest(least(spent_until, now()), now() - interval '1 s') AS since
        FROM   saga_repair
        WHERE  id = ?
        AND    fencing_token = ?
        AND    status = 'RUNNING'
        FOR NO KEY UPDATE
      ),
      budget AS (
        SELECT id,
               since,
               greatest(0, floor(per_second * extract(epoch FROM now() - since)))::int AS sagas
        FROM   allowance
        JOIN   saga_repair USING (id)
      )
      UPDATE saga_repair
      SET    spent_until = since + sagas * interval '1 s' / per_second
      FROM   budget
      WHERE  saga_repair.id = budget.id
      RETURNING budget.sagas
      """;

  private static final String IS_HELD =
      """
      SELECT FROM saga_repair
      WHERE  id = ?
      AND    fencing_token = ?
      AND    status = 'RUNNING'
      FOR NO KEY UPDATE
      """;

  private static final String GIVE_BACK =
      "UPDATE saga_repair SET lease_expires_at = now() WHERE owner = ? AND finished_at IS NULL";

  private final UUID owner;
  private final Duration lease;
  private final RepairRows rows;

  /**
   * @param owner this process; another one after each start
   */
  RepairLease(UUID owner, Duration lease, RepairRows rows) {
    this.owner = owner;
    this.lease = lease;
    this.rows = rows;
  }

  /** The lowest id, to begin with. */
  static UUID first() {
    return UUID.fromString(NONE);
  }

  /**
   * Claims the next repair that goes on and that no other process holds, or says that this one
   * still holds it.
   */
  Optional<LeasedRepair> claim(Connection tx, UUID after) throws SQLException {
    double seconds = lease.toMillis() / 1e3;
    return Sql.find(tx, CLAIM, this::readable, owner, owner, seconds, owner, seconds, after);
  }

  /** How many sagas it may act on now, by its rate; none where it is not held any more. */
  static int spend(Connection tx, LeasedRepair repair) throws SQLException {
    return Sql.find(tx, SPEND, row -> row.integer("sagas"), repair.id(), repair.token()).orElse(0);
  }

  /**
   * Keeps all others from changing the repair until the transaction ends; false where this process
   * holds it no more, or it does not run.
   */
  static boolean hold(Connection tx, LeasedRepair repair) throws SQLException {
    return !Sql.query(tx, IS_HELD, row -> true, repair.id(), repair.token()).isEmpty();
  }

  /** Lets another replica go on at once. */
  void giveBack(Connection tx) throws SQLException {
    Sql.update(tx, GIVE_BACK, owner);
  }

  private LeasedRepair readable(Row row) throws SQLException {
    try {
      return read(row);
    } catch (RuntimeException e) {
      throw new RepairUnreadable(requireNonNull(row.uuid("id")), e);
    }
  }

  private LeasedRepair read(Row row) throws SQLException {
    return new LeasedRepair(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.bigint("fencing_token")),
        requireNonNull(row.constant("action", RepairAction.class)),
        rows.filter(requireNonNull(row.text("filter"))),
        row.text("reason"),
        requireNonNull(row.constant("status", RepairStatus.class)),
        requireNonNull(row.text("started_by")),
        requireNonNull(row.time("started_at")),
        row.uuid("position"),
        row.truth("chosen_all"));
  }
}
