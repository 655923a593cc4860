package io.onceflow.inbox.internal.parking;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAction;
import io.onceflow.inbox.internal.parking.ParkedJob.JobStatus;
import io.onceflow.internal.database.SocketDeadline;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** {@code parked_job}, as operators add, read and switch jobs. */
final class ParkedJobRows {

  /** Longer than grouping and marking a hundred thousand messages takes. */
  private static final String AT_MOST = "SET LOCAL statement_timeout = '30s'";

  /** The server's timeout comes first and has a message; this one is for a silent server. */
  private static final Duration SILENT_AT_MOST = Duration.ofSeconds(35);

  private static final String COUNT =
      """
      SELECT count(*)::int AS messages,
             (count(*) FILTER (WHERE parked_at < now() - make_interval(secs => ?)))::int AS too_old,
             count(next_attempt_at)::int AS waiting
      FROM   parked_message
      WHERE  %s = ?
      AND    %s
      """
          .formatted(ParkedGroups.FINGERPRINT, ParkedMessages.NOT_DEFERRED);

  private static final String MARK =
      """
      UPDATE parked_message
      SET    job_id = ?, job_lease_until = NULL
      WHERE  %s = ?
      AND    %s
      AND    job_id IS NULL
      """
          .formatted(ParkedGroups.FINGERPRINT, ParkedMessages.NOT_DEFERRED);

  private static final String UNMARK =
      "UPDATE parked_message SET job_id = NULL, job_lease_until = NULL WHERE job_id = ?";

  /** With what its messages have in common. */
  private static final String INSERT =
      """
      INSERT INTO parked_job
             (id, action, fingerprint, queue, type, parked_for, reason, per_second, started_by, total)
      SELECT ?, ?, ?, queue, type, message.reason, ?, ?, ?, ?
      FROM   parked_message AS message
      WHERE  job_id = ?
      LIMIT  1
      ON CONFLICT (fingerprint) WHERE finished_at IS NULL DO NOTHING
      """;

  private static final String UNFINISHED =
      "SELECT id FROM parked_job WHERE fingerprint = ? AND finished_at IS NULL";

  private static final String FAILED =
      "(SELECT coalesce(sum(value::integer), 0) FROM jsonb_each_text(failures))";

  private static final String PENDING =
      "(SELECT count(*) FROM parked_message WHERE job_id = job.id)";

  /** Written out, so that a column that a migration adds leaves prepared statements as they are. */
  private static final String SELECT =
      """
      SELECT id, action, fingerprint, queue, type, parked_for, reason, per_second, status, started_by,
             started_at, finished_at, total, failures,
             coalesce(handled, total - %s - %s)::int AS handled
      FROM   parked_job AS job
      """
          .formatted(FAILED, PENDING);

  private static final String FIND = SELECT + "WHERE id = ?";

  private static final String LOCK = "SELECT id FROM parked_job WHERE id = ? FOR NO KEY UPDATE";

  private static final String NEWEST =
      SELECT
          + """
          ORDER BY id DESC                -- UUIDv7: the order of time
          LIMIT    ?
          """;

  /** The time while it did not run gives no allowance. */
  private static final String SWITCH =
      """
      UPDATE parked_job AS job
      SET    status = ?,
             finished_at = CASE WHEN ? THEN now() END,
             handled = CASE WHEN ? THEN total - %s - %s END,
             spent_until = now()
      WHERE  id = ?
      """
          .formatted(FAILED, PENDING);

  private final JsonColumn<Map<String, Integer>> failures;

  ParkedJobRows(ObjectMapper json) {
    this.failures = new JsonColumn<>("parked_job.failures", json, new TypeReference<>() {});
  }

  /** What a group has, without its samples. */
  static ParkedJobPreview count(Connection tx, String fingerprint, Duration longestAge)
      throws SQLException {
    return Sql.query(
            tx,
            COUNT,
            row ->
                new ParkedJobPreview(
                    true,
                    row.integer("messages"),
                    row.integer("too_old"),
                    row.integer("waiting"),
                    List.of()),
            ParkedMessages.seconds(longestAge),
            fingerprint)
        .getFirst();
  }

  /** The job of the group that is not finished; there is one at most. */
  static Optional<UUID> unfinished(Connection tx, String fingerprint) throws SQLException {
    return Sql.find(tx, UNFINISHED, row -> requireNonNull(row.uuid("id")), fingerprint);
  }

  /** Marks the messages of a group that no job has marked; returns how many. */
  static int mark(Connection tx, UUID job, String fingerprint) throws SQLException {
    Sql.update(tx, AT_MOST);
    SocketDeadline deadline = SocketDeadline.of(tx, SILENT_AT_MOST);
    try (deadline) {
      return Sql.update(tx, MARK, job, fingerprint);
    }
  }

  /**
   * Adds a job that runs, after its messages were marked.
   *
   * @return false when another job of the group is not finished
   */
  static boolean insert(Connection tx, UUID job, ParkedJobs.Asked asked, int total)
      throws SQLException {
    return Sql.update(
            tx,
            INSERT,
            job,
            asked.action(),
            asked.group(),
            asked.reason(),
            asked.perSecond(),
            asked.by(),
            total,
            job)
        == 1;
  }

  Optional<ParkedJob> find(Connection tx, UUID id) throws SQLException {
    return Sql.find(tx, FIND, this::job, id);
  }

  /** As {@link #find}, and nothing else changes the job until the transaction ends. */
  Optional<ParkedJob> lock(Connection tx, UUID id) throws SQLException {
    Optional<UUID> locked = Sql.find(tx, LOCK, row -> requireNonNull(row.uuid("id")), id);
    return locked.isPresent() ? find(tx, id) : Optional.empty();
  }

  /** The newest first. */
  List<ParkedJob> newest(Connection tx, int limit) throws SQLException {
    return Sql.query(tx, NEWEST, this::job, limit);
  }

  /** Gives a locked job another status; the messages of one that has ended are marked no more. */
  static void change(Connection tx, UUID id, JobStatus to) throws SQLException {
    boolean isEnd = to == JobStatus.STOPPED || to == JobStatus.FINISHED;
    Sql.update(tx, SWITCH, to, isEnd, isEnd, id);
    if (isEnd) {
      Sql.update(tx, UNMARK, id);
    }
  }

  private ParkedJob job(Row row) throws SQLException {
    return new ParkedJob(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.constant("action", JobAction.class)),
        requireNonNull(row.text("fingerprint")),
        requireNonNull(row.text("queue")),
        row.text("type"),
        requireNonNull(row.text("parked_for")),
        row.text("reason"),
        row.integer("per_second"),
        requireNonNull(row.constant("status", JobStatus.class)),
        requireNonNull(row.text("started_by")),
        requireNonNull(row.time("started_at")),
        row.time("finished_at"),
        row.integer("total"),
        row.integer("handled"),
        failures.read(requireNonNull(row.text("failures"))));
  }
}
