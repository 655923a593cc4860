package io.onceflow.inbox.internal.parking;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAction;
import io.onceflow.inbox.internal.parking.ParkedJob.JobStatus;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Carries out jobs on groups of parked messages, in the turns of {@link FailedMessages}. A message
 * is leased before it is redriven, and keeps its mark until that has an outcome: what a process
 * leaves undone, another one does after the lease. Its saga is not asked, since an operator's token
 * is not stored: that only saves operators from mistakes, and the preview has done so.
 */
final class ParkedJobWork {

  private static final int MOST_PER_TURN = 100;

  /** Other turns of the same thread wait meanwhile. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(2);

  private static final String IS_ANY =
      "SELECT EXISTS (SELECT FROM parked_job WHERE finished_at IS NULL AND status = 'RUNNING') AS is_any";

  /** Longer than a redrive takes, with all its races. */
  private static final String LEASE = "interval '1 min'";

  private static final String IS_FREE =
      "(job_lease_until IS NULL OR %s)".formatted(LeaseCondition.isOver("job_lease_until", LEASE));

  /**
   * The allowance grows with time and is kept for a second at most. One that is further ahead was
   * spent before the clock was set back.
   */
  private static final String CLAIM =
      """
      WITH next AS (
        SELECT   id
        FROM     parked_job AS job
        WHERE    finished_at IS NULL
        AND      status = 'RUNNING'
        AND      (spent_until + interval '1 s' / per_second <= now()
                  OR spent_until > now() + interval '2 s')
        AND      EXISTS (SELECT
                         FROM   parked_message
                         WHERE  job_id = job.id
                         AND    %1$s)
        ORDER BY spent_until                          -- each job has its turn
        LIMIT    1
        FOR      NO KEY UPDATE SKIP LOCKED            -- another replica is at it
      ),
      leased AS (
        UPDATE parked_message
        SET    job_lease_until = now() + %2$s
        WHERE  id = (SELECT   id
                     FROM     parked_message
                     WHERE    job_id = (SELECT id FROM next)
                     AND      %1$s
                     ORDER BY id DESC
                     LIMIT    1
                     FOR UPDATE SKIP LOCKED)
        RETURNING id
      )
      UPDATE parked_job AS job
      SET    spent_until = greatest(least(spent_until, now()), now() - interval '1 s')
                           + interval '1 s' / per_second
      FROM   next, leased
      WHERE  job.id = next.id
      RETURNING job.id AS job, job.action, job.reason, job.started_by, leased.id AS message
      """
          .formatted(IS_FREE, LEASE);

  /** Before the message, as operators do who stop it. */
  private static final String LOCK = "SELECT id FROM parked_job WHERE id = ? FOR NO KEY UPDATE";

  /** A message that was handled is gone, and counts by that. */
  private static final String KEEP_PARKED =
      """
      WITH kept AS (
        UPDATE parked_message
        SET    job_id = NULL, job_lease_until = NULL
        WHERE  id = ?
        AND    job_id = ?
        RETURNING id
      )
      UPDATE parked_job
      SET    failures = jsonb_set(failures, ARRAY[?::text],
                                  to_jsonb(coalesce((failures ->> ?::text)::integer, 0) + 1))
      FROM   kept
      WHERE  parked_job.id = ?
      """;

  private static final String DONE =
      """
      SELECT id
      FROM   parked_job AS job
      WHERE  finished_at IS NULL
      AND    status = 'RUNNING'
      AND    NOT EXISTS (SELECT FROM parked_message WHERE job_id = job.id)
      FOR    NO KEY UPDATE SKIP LOCKED
      """;

  private final DataSource database;
  private final ParkedMessages parked;
  private final RedriveService redriving;
  private final ParkedJobRows rows;

  /**
   * A message whose turn it is.
   *
   * @param reason of the job, in the operator's words
   */
  private record Due(UUID job, UUID message, JobAction action, String reason, String startedBy) {

    static Due of(Row row) throws SQLException {
      return new Due(
          requireNonNull(row.uuid("job")),
          requireNonNull(row.uuid("message")),
          requireNonNull(row.constant("action", JobAction.class)),
          requireNonNull(row.text("reason")),
          requireNonNull(row.text("started_by")));
    }
  }

  ParkedJobWork(ParkedMessages parked, RedriveService redriving) {
    this.database = parked.database();
    this.parked = parked;
    this.redriving = redriving;
    this.rows = new ParkedJobRows(new ObjectMapper());
  }

  /**
   * Handles the messages whose turn it is, and ends the jobs of which nothing is left.
   *
   * @return whether a job runs
   */
  boolean turn() throws SQLException {
    if (!isAny()) {
      return false;
    }
    long until = System.nanoTime() + LONGEST_TURN.toNanos();
    for (int made = 0; made < MOST_PER_TURN && System.nanoTime() - until < 0; made++) {
      Optional<Due> next = claim();
      if (next.isEmpty()) {
        break;
      }
      handle(next.get());
    }
    finish();
    return true;
  }

  private boolean isAny() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, IS_ANY, row -> row.truth("is_any")).getFirst();
    }
  }

  private Optional<Due> claim() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, CLAIM, Due::of);
    }
  }

  private void handle(Due due) throws SQLException {
    String outcome =
        switch (due.action()) {
          case REDRIVE ->
              redriving.redrive(due.message(), new Operator(due.startedBy(), "")).outcome().word();
          case DELETE -> {
            parked.delete(due.message(), due.startedBy(), due.reason());
            yield Outcome.STILL_UNHANDLED.word();
          }
        };
    DatabaseTransaction.run(
        database,
        tx -> {
          Sql.query(tx, LOCK, row -> row.uuid("id"), due.job());
          Sql.update(tx, KEEP_PARKED, due.message(), due.job(), outcome, outcome, due.job());
        });
  }

  private void finish() throws SQLException {
    DatabaseTransaction.run(
        database,
        tx -> {
          List<UUID> done = Sql.query(tx, DONE, row -> requireNonNull(row.uuid("id")));
          for (UUID id : done) {
            ParkedJobRows.change(tx, id, JobStatus.FINISHED);
            ParkedJob job = rows.find(tx, id).orElseThrow();
            ParkedJobs.record(
                tx, job.startedBy(), "parked-job-finish", id, null, ParkedJobs.progress(job));
          }
        });
  }
}
