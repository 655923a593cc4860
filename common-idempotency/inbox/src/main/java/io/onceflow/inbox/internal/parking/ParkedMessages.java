package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** {@code parked_message}: lists what is parked, deletes it, and takes from it what is redriven. */
@ApplicationScoped
public class ParkedMessages {

  /** Written out, so that a migration that adds another leaves prepared statements as they are. */
  private static final String COLUMNS =
      """
      id, queue, message_id, type, correlation_id, reply_to, routing_key, reason, detail, parked_at,
      attempts, next_attempt_at, redrives, headers, payload, original_payload, edited_by, edited_at
      """;

  private static final String NEWEST =
      """
      SELECT   id, queue, message_id, type, correlation_id, reason, detail, parked_at,
               attempts, next_attempt_at, redrives, edited_by, edited_at
      FROM     parked_message
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC                -- UUIDv7: the order of time
      LIMIT    ?
      """;

  private static final String COUNT =
      "SELECT count(*) FROM (SELECT FROM parked_message LIMIT ?) AS counted";

  private static final String FIND =
      "SELECT %s FROM parked_message WHERE id = ?".formatted(COLUMNS);

  /** By the database's clock, as all that is compared with what it has written. */
  private static final String IS_OLDER =
      """
      SELECT parked_at < now() - make_interval(secs => ?) AS is_older
      FROM   parked_message
      WHERE  id = ?
      """;

  /** Takes it with the payload that was read: an edit since then has another time. */
  private static final String TAKE_AS_READ =
      """
      DELETE FROM parked_message
      WHERE  id = ? AND edited_at IS NOT DISTINCT FROM ?::timestamptz
      RETURNING %s
      """
          .formatted(COLUMNS);

  /** Locks the row, too: a concurrent transaction waits, and finds it gone or unchanged. */
  private static final String TAKE =
      "DELETE FROM parked_message WHERE id = ? RETURNING %s".formatted(COLUMNS);

  /** Counts the attempt before it is made; other replicas leave the row alone for the pause. */
  private static final String CLAIM_DUE =
      """
      UPDATE parked_message
      SET    attempts = least(attempts, 2147483646) + 1,     -- or one row would end each look
             next_attempt_at =
               now() + make_interval(secs => least(? * power(2, least(attempts - 1, 30)), ?))
      WHERE  id = (SELECT   id
                   FROM     parked_message
                   WHERE    %s
                   AND      (reason <> 'unknown-type' OR type = ANY (?)
                             OR parked_at < now() - make_interval(secs => ?))
                   ORDER BY next_attempt_at
                   LIMIT    1
                   FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts
      """
          .formatted(LeaseCondition.isOver("next_attempt_at", "make_interval(secs => ?)"));

  private static final String UNCOUNT =
      "UPDATE parked_message SET attempts = attempts - 1 WHERE id = ?";

  private static final String GIVE_UP =
      "UPDATE parked_message SET next_attempt_at = NULL WHERE id = ?";

  private static final String EXPLAIN =
      "UPDATE parked_message SET reason = ?, detail = ? WHERE id = ?";

  /** What came is kept at the first change, and stays. From now on only operators redrive it. */
  private static final String EDIT =
      """
      UPDATE parked_message
      SET    original_payload = coalesce(original_payload, payload),
             payload          = ?,
             edited_by        = ?,
             edited_at        = clock_timestamp(),
             next_attempt_at  = NULL
      WHERE  id = ?
      """;

  private static final String COUNT_REDRIVE =
      "UPDATE parked_message SET redrives = redrives + 1 WHERE id = ?";

  private static final Logger LOG = Logger.getLogger(ParkedMessages.class);

  private final DataSource database;
  private final MeterRegistry metrics;
  private final ParkedGauge gauge;
  private final ParkedMessageRows rows;

  public ParkedMessages(DataSource database, ObjectMapper json, MeterRegistry metrics) {
    this.database = database;
    this.metrics = metrics;
    this.gauge = new ParkedGauge(metrics);
    this.rows = new ParkedMessageRows(json);
  }

  /**
   * The newest first, at most {@code limit}.
   *
   * @param before only those older than the message of this id; null to start with the newest
   */
  public List<ParkedMessage> newest(@Nullable UUID before, int limit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, NEWEST, ParkedMessageRows::listed, before, before, limit);
    }
  }

  /** A message with all that it carries; empty when it is not parked here. */
  public Optional<ParkedMessageDetail> find(UUID id) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, FIND, rows::inFull, id);
    }
  }

  /**
   * Deletes a message for good, and records that in the audit log.
   *
   * @param operator for the audit log
   * @param reason for the audit log, too; null when nothing was said
   * @return false when it is not parked here
   */
  public boolean delete(UUID id, String operator, @Nullable String reason) throws SQLException {
    Optional<Delivery> deleted =
        DatabaseTransaction.call(
            database,
            tx -> {
              Optional<Delivery> taken = take(tx, id);
              if (taken.isPresent()) {
                AuditLog.record(tx, act(operator, "delete", id, reason, null));
              }
              return taken;
            });
    deleted.ifPresent(
        message -> {
          metrics.counter("onceflow.inbox.parked.deleted").increment();
          LOG.warnf("%s deleted the parked message %s: %s", operator, id, message);
        });
    return deleted.isPresent();
  }

  /**
   * Changes the payload that a redrive uses, and records that in the audit log. What came is kept.
   *
   * @return false when it is not parked here
   */
  public boolean edit(UUID id, String payload, String operator, String reason) throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          boolean isEdited = Sql.update(tx, EDIT, payload.getBytes(UTF_8), operator, id) > 0;
          if (isEdited) {
            AuditLog.record(tx, act(operator, "edit", id, reason, null));
          }
          return isEdited;
        });
  }

  /** Counts a redrive before it is tried, and records who asked for it. */
  void beginRedrive(UUID id, String operator) throws SQLException {
    DatabaseTransaction.call(
        database,
        tx -> {
          Sql.update(tx, COUNT_REDRIVE, id);
          AuditLog.record(tx, act(operator, "redrive", id, null, null));
          return true;
        });
  }

  /** Records the outcome of a redrive. */
  void endRedrive(UUID id, String operator, String outcome) throws SQLException {
    DatabaseTransaction.call(
        database,
        tx -> {
          AuditLog.record(tx, act(operator, "redrive-outcome", id, null, outcome));
          return true;
        });
  }

  private static AuditEntry act(
      String operator,
      String action,
      UUID message,
      @Nullable String reason,
      @Nullable String detail) {
    return new AuditEntry(operator, action, AuditSubject.parkedMessage(message), reason, detail);
  }

  /** Whether it was parked longer ago than this; false too when it is not there. */
  boolean isOlder(UUID id, Duration age) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, IS_OLDER, row -> row.truth("is_older"), seconds(age), id)
          .orElse(false);
    }
  }

  /** Takes a message out, whatever was made of it; empty when it is not there. */
  private Optional<Delivery> take(Connection connection, UUID id) throws SQLException {
    return Sql.find(connection, TAKE, rows::delivery, id);
  }

  /**
   * Takes a message out as it was read, to be settled in the same transaction; empty when it is not
   * there or was edited since.
   *
   * @param editedAt when it was edited last; null when it was as it came
   */
  Optional<Delivery> take(Connection connection, UUID id, @Nullable Instant editedAt)
      throws SQLException {
    return Sql.find(connection, TAKE_AS_READ, rows::delivery, id, editedAt);
  }

  /**
   * Claims one whose next attempt is due, the longest due first; the attempt is counted, and other
   * replicas leave the message alone until the pause after it. Called at intervals, so the messages
   * are counted here.
   *
   * @param types of commands that this process knows: of those that were deferred it takes these
   * @param deferFor after this long it takes the others, too
   */
  Optional<FailedMessages.Due> claimDue(
      InboxConfig.Handling config, Set<String> types, Duration deferFor) throws SQLException {
    look();
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          CLAIM_DUE,
          row -> new FailedMessages.Due(row.uuid("id"), row.integer("attempts")),
          seconds(config.firstBackoff()),
          seconds(config.longestBackoff()),
          seconds(config.longestBackoff()),
          Column.texts(types),
          seconds(deferFor));
    }
  }

  /** Counts them for the metric. */
  void look() {
    gauge.look(this::count);
  }

  private long count() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, COUNT, row -> row.bigint("count"), ParkedGauge.COUNTED)
          .getFirst();
    }
  }

  /** Updates the reason why a message is parked. */
  void explain(UUID id, UnprocessableMessage why) throws SQLException {
    try (Connection connection = database.getConnection()) {
      explain(connection, id, why);
    }
  }

  private static void explain(Connection connection, UUID id, UnprocessableMessage why)
      throws SQLException {
    Sql.update(connection, EXPLAIN, why.reason().word(), Parking.detail(why), id);
  }

  /** Does not count the latest attempt; the pause after it stays. */
  void uncount(UUID id) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, UNCOUNT, id);
    }
  }

  /**
   * Leaves a message to operators: it is not retried automatically.
   *
   * @param why null keeps the reason that is stored
   */
  void giveUp(UUID id, @Nullable UnprocessableMessage why) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, GIVE_UP, id);
      if (why != null) {
        explain(connection, id, why);
      }
    }
  }

  void countAgain(String outcome) {
    metrics.counter("onceflow.inbox.tried.again", "outcome", outcome).increment();
  }

  void countRedrive(RedriveResult.Outcome outcome) {
    metrics.counter("onceflow.inbox.redriven", "outcome", outcome.word()).increment();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
