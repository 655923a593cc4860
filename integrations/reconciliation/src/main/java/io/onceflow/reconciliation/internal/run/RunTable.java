package io.onceflow.reconciliation.internal.run;

import static java.util.Objects.requireNonNull;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.reconciliation.internal.run.ReconciliationRun.Status;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code reconciliation_run} as operators and the schedule use it. */
public final class RunTable {

  /** The replica that was asked has the operator's token, so the run is kept for it. */
  private static final String REQUEST =
      """
      INSERT INTO reconciliation_run (id, comparison, day, requested_by, owner, lease_expires_at)
      VALUES (?, ?, ?, ?, ?, now() + make_interval(secs => ?))
      ON CONFLICT (comparison, day) WHERE finished_at IS NULL DO NOTHING
      """;

  /**
   * The days that have ended so long ago, from the one after the last that was scheduled: after
   * days out of service all of them, up to a week. The first time, only the last day.
   */
  private static final String SCHEDULE =
      """
      INSERT INTO reconciliation_run (id, comparison, day, round)
      SELECT ?, ?, day, ?
      FROM   (
               SELECT (now() AT TIME ZONE 'UTC' - make_interval(secs => ?))::date - 1 AS latest
             ) AS due,
             LATERAL (
               SELECT coalesce(max(day), due.latest - 1) AS last
               FROM   reconciliation_run
               WHERE  comparison = ?
               AND    round = ?
             ) AS scheduled,
             LATERAL (SELECT greatest(scheduled.last + 1, due.latest - 6) AS day) AS next
      WHERE  next.day <= due.latest
      AND    NOT EXISTS (
               SELECT FROM reconciliation_run
               WHERE  comparison = ?
               AND    day = next.day
               AND    finished_at IS NULL
             )
      ON CONFLICT DO NOTHING                        -- another replica has done it
      """;

  /** Written out, so that a column that a migration adds leaves prepared statements as they are. */
  private static final String COLUMNS =
      """
      id, comparison, day, status, requested_by, attempts, ours, theirs, differences, stored,
      failure, created_at, started_at, finished_at
      """;

  private static final String FIND =
      "SELECT %s FROM reconciliation_run WHERE id = ?".formatted(COLUMNS);

  private static final String NEWEST =
      """
      SELECT   %s
      FROM     reconciliation_run
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC
      LIMIT    ?
      """
          .formatted(COLUMNS);

  private RunTable() {}

  /**
   * Adds a run that an operator asks for.
   *
   * @return its id; empty where one of the same day is not finished
   */
  public static Optional<UUID> request(
      Connection tx, String comparison, LocalDate day, String operator, UUID owner, Duration lease)
      throws SQLException {
    UUID id = OutboxMessage.newId();
    int added =
        Sql.update(tx, REQUEST, id, comparison, day, operator, owner, lease.toMillis() / 1e3);
    return added == 1 ? Optional.of(id) : Optional.empty();
  }

  /**
   * Adds the next scheduled run that is due.
   *
   * @param round which of the comparisons of a day
   * @param after how long after the day's end
   * @return false where none is due
   */
  static boolean schedule(Connection tx, String comparison, int round, Duration after)
      throws SQLException {
    return Sql.update(
            tx,
            SCHEDULE,
            OutboxMessage.newId(),
            comparison,
            round,
            after.toMillis() / 1e3,
            comparison,
            round,
            comparison)
        == 1;
  }

  /** One run. */
  public static Optional<ReconciliationRun> find(Connection tx, UUID id) throws SQLException {
    return Sql.find(tx, FIND, RunTable::read, id);
  }

  /** The newest first. */
  public static List<ReconciliationRun> newest(Connection tx, @Nullable UUID before, int limit)
      throws SQLException {
    return Sql.query(tx, NEWEST, RunTable::read, before, before, limit);
  }

  private static ReconciliationRun read(Row row) throws SQLException {
    return new ReconciliationRun(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.text("comparison")),
        LocalDate.parse(requireNonNull(row.text("day"))),
        requireNonNull(row.constant("status", Status.class)),
        row.text("requested_by"),
        row.integer("attempts"),
        row.bigint("ours"),
        row.bigint("theirs"),
        row.bigint("differences"),
        row.bigint("stored"),
        row.text("failure"),
        requireNonNull(row.time("created_at")),
        row.time("started_at"),
        row.time("finished_at"));
  }
}
