package io.onceflow.reconciliation.internal.run;

import static java.util.Objects.requireNonNull;

import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who works on a run. One run is under way at a time, since they share a table of staged entries; a
 * fencing token refuses what an earlier holder writes that was only slow.
 */
final class RunLease {

  private static final String IS_OVER =
      LeaseCondition.isOver("lease_expires_at", "make_interval(secs => ?)");

  /** One that was made or started later than now was so by a clock that was set back since. */
  private static final String IS_DUE =
      "(due_at <= now() OR greatest(created_at, started_at) > now() + interval '2 s')";

  private static final String IS_ONE_DUE =
      """
      SELECT FROM reconciliation_run
      WHERE  finished_at IS NULL
      AND    %s
      AND    (owner = ? OR lease_expires_at IS NULL OR %s)
      LIMIT  1
      """
          .formatted(IS_DUE, IS_OVER);

  /** Two replicas must not claim two runs at a time. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('onceflow.reconciliation',"
          + " hashtext(current_schema)))";

  /**
   * A run whose process stood still for longer than its lease. The process may continue at any
   * time, also while another run is under way, and would empty that one's entries: it has to notice
   * that the run is not its own any more.
   */
  private static final String TAKE_BACK =
      """
      UPDATE reconciliation_run
      SET    status           = 'WAITING',
             lease_expires_at = NULL,
             fencing_token    = nextval('reconciliation_token')
      WHERE  status = 'RUNNING'
      AND    owner <> ?
      AND    %s
      """
          .formatted(IS_OVER);

  /** A statement of its own: it must see what was committed before the lock was granted. */
  private static final String CLAIM =
      """
      UPDATE reconciliation_run
      SET    status           = 'RUNNING',
             attempts         = attempts + 1,
             owner            = ?,
             lease_expires_at = now() + make_interval(secs => ?),
             fencing_token    = nextval('reconciliation_token'),
             started_at       = now()
      WHERE  id = (
               SELECT   id
               FROM     reconciliation_run
               WHERE    finished_at IS NULL
               AND      %2$s
               AND      (owner = ? OR lease_expires_at IS NULL OR %1$s)
               ORDER BY round IS NOT NULL, due_at, id      -- those that somebody waits for first
               LIMIT    1
             )
      AND    NOT EXISTS (
               SELECT FROM reconciliation_run
               WHERE  status = 'RUNNING'
               AND    owner <> ?
               AND    NOT %1$s
             )
      RETURNING id, fencing_token, comparison, day, attempts, round, started_at
      """
          .formatted(IS_OVER, IS_DUE);

  private static final String EXTEND =
      """
      UPDATE reconciliation_run
      SET    lease_expires_at = now() + make_interval(secs => ?)
      WHERE  owner = ?
      AND    finished_at IS NULL
      AND    lease_expires_at IS NOT NULL
      """;

  private static final String IS_HELD =
      """
      SELECT FROM reconciliation_run
      WHERE  id = ?
      AND    fencing_token = ?
      AND    status = 'RUNNING'
      """;

  private static final String HELD =
      """
      SELECT id
      FROM   reconciliation_run
      WHERE  owner = ?
      AND    finished_at IS NULL
      """;

  private static final String GIVE_BACK =
      "UPDATE reconciliation_run SET lease_expires_at = now() WHERE owner = ? AND finished_at IS"
          + " NULL";

  private static final String COMPLETE =
      """
      UPDATE reconciliation_run
      SET    status = 'COMPLETED', ours = ?, theirs = ?, differences = ?, stored = ?,
             failure = NULL, finished_at = now()
      WHERE  id = ?
      AND    fencing_token = ?
      AND    status = 'RUNNING'
      """;

  /** Null instead of a pause: it is not retried. */
  private static final String FAIL =
      """
      UPDATE reconciliation_run
      SET    status           = CASE WHEN ?::float8 IS NULL THEN 'FAILED' ELSE 'WAITING' END,
             failure          = ?,
             due_at           = now() + make_interval(secs => coalesce(?::float8, 0)),
             lease_expires_at = NULL,
             finished_at      = CASE WHEN ?::float8 IS NULL THEN now() END
      WHERE  id = ?
      AND    fencing_token = ?
      AND    status = 'RUNNING'
      """;

  private final UUID owner;
  private final Duration lease;

  /**
   * @param owner this process; another one after each start
   */
  RunLease(UUID owner, Duration lease) {
    this.owner = owner;
    this.lease = lease;
  }

  UUID owner() {
    return owner;
  }

  /** Claims a run that is due, unless another process works on one. */
  Optional<LeasedRun> claim(Connection tx) throws SQLException {
    if (Sql.query(tx, IS_ONE_DUE, row -> true, owner, seconds(lease)).isEmpty()) {
      return Optional.empty();
    }
    Sql.query(tx, LOCK, row -> true);
    Sql.update(tx, TAKE_BACK, owner, seconds(lease));
    return Sql.find(
        tx,
        CLAIM,
        RunLease::read,
        owner,
        seconds(lease),
        owner,
        seconds(lease),
        owner,
        seconds(lease));
  }

  /** Keeps what this process holds, also what waits for its turn here. */
  void extend(Connection tx) throws SQLException {
    Sql.update(tx, EXTEND, seconds(lease), owner);
  }

  /** Whether an attempt is still the current one. */
  static boolean holds(Connection tx, LeasedRun run) throws SQLException {
    return !Sql.query(tx, IS_HELD, row -> true, run.id(), run.token()).isEmpty();
  }

  /** The runs that this process holds: those that wait here, and the one under way. */
  Set<UUID> held(Connection tx) throws SQLException {
    return Set.copyOf(Sql.query(tx, HELD, row -> requireNonNull(row.uuid("id")), owner));
  }

  /** Lets another replica continue at once. */
  void giveBack(Connection tx) throws SQLException {
    Sql.update(tx, GIVE_BACK, owner);
  }

  /** False where another attempt has started. */
  static boolean complete(Connection tx, LeasedRun run, RunCounts counts) throws SQLException {
    return Sql.update(
            tx,
            COMPLETE,
            counts.ours(),
            counts.theirs(),
            counts.differences(),
            counts.stored(),
            run.id(),
            run.token())
        == 1;
  }

  /**
   * The attempt has failed.
   *
   * @param why may quote what another system answered
   * @param pause until the next attempt; null for none
   */
  static void fail(Connection tx, LeasedRun run, String why, @Nullable Duration pause)
      throws SQLException {
    Double seconds = pause == null ? null : seconds(pause);
    Sql.update(tx, FAIL, seconds, Sql.storable(why), seconds, seconds, run.id(), run.token());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private static LeasedRun read(Row row) throws SQLException {
    return new LeasedRun(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.bigint("fencing_token")),
        requireNonNull(row.text("comparison")),
        LocalDate.parse(requireNonNull(row.text("day"))),
        row.integer("attempts"),
        row.text("round") != null,
        requireNonNull(row.time("started_at")));
  }
}
