package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * {@code parked_message}: lists what is parked, deletes it, and takes from it what is redriven.
 * Deferred replies lie there as well; they are no operator's concern until that ends, so they are
 * neither listed nor counted here.
 */
@ApplicationScoped
public class ParkedMessages {

  /** Written out, so that a migration that adds another leaves prepared statements as they are. */
  private static final String COLUMNS =
      """
      id, queue, message_id, type, correlation_id, reply_to, routing_key, reason, detail, parked_at,
      attempts, next_attempt_at, redrives, edited_by, edited_at,
      """;

  private static final String IN_FULL = COLUMNS + "headers, payload, original_payload\n";

  static final String NOT_DEFERRED = "(waits_for IS NULL OR reason <> 'deferred')";

  private static final String NEWEST =
      """
      SELECT   %s NULL AS headers, NULL::bytea AS payload, NULL::bytea AS original_payload
      FROM     parked_message
      WHERE    %s
      AND      (?::uuid IS NULL OR id < ?)
      AND      (?::text IS NULL OR correlation_id = ?)
      AND      (?::text IS NULL OR %s = ?)
      ORDER BY id DESC                -- UUIDv7: the order of time
      LIMIT    ?
      """
          .formatted(COLUMNS, NOT_DEFERRED, ParkedGroups.FINGERPRINT);

  private static final String COUNT =
      "SELECT count(*) FROM (SELECT FROM parked_message WHERE %s LIMIT ?) AS counted"
          .formatted(NOT_DEFERRED);

  private static final String FIND =
      "SELECT %s FROM parked_message WHERE id = ? AND %s".formatted(IN_FULL, NOT_DEFERRED);

  /** Takes it with the payload that was read: an edit since then has another time. */
  private static final String TAKE_AS_READ =
      """
      DELETE FROM parked_message
      WHERE  id = ? AND edited_at IS NOT DISTINCT FROM ?::timestamptz
      RETURNING %s
      """
          .formatted(IN_FULL);

  /** Locks the row, too: a concurrent transaction waits, and finds it gone or unchanged. */
  private static final String DELETE =
      "DELETE FROM parked_message WHERE id = ? AND %s RETURNING %s"
          .formatted(NOT_DEFERRED, IN_FULL);

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
             next_attempt_at  = NULL,
             waits_for        = NULL
      WHERE  id = ?
      """;

  /** Old by the database's clock, as all that is compared with what it has written. */
  private static final String COUNT_REDRIVE =
      """
      UPDATE parked_message
      SET    redrives = redrives + 1
      WHERE  id = ?
      RETURNING parked_at < now() - make_interval(secs => ?) AS is_older
      """;

  private static final Logger LOG = Logger.getLogger(ParkedMessages.class);

  private final DataSource database;
  private final MeterRegistry metrics;
  private final ParkedGauge gauge;
  private final JsonColumn<Map<String, String>> headers;

  public ParkedMessages(DataSource database, ObjectMapper json, MeterRegistry metrics) {
    this.database = database;
    this.metrics = metrics;
    this.gauge = new ParkedGauge(metrics);
    this.headers = new JsonColumn<>("parked_message.headers", json, new TypeReference<>() {});
  }

  /**
   * The newest first, at most {@code limit}, without what they carry.
   *
   * @param before only those older than the message of this id; null to start with the newest
   */
  public List<ParkedMessage> newest(@Nullable UUID before, int limit) throws SQLException {
    return newest(before, null, null, limit);
  }

  /**
   * The same of one saga or group.
   *
   * @param saga its id; null for all
   * @param group the fingerprint of a {@link ParkedGroup}; null for all
   */
  public List<ParkedMessage> newest(
      @Nullable UUID before, @Nullable UUID saga, @Nullable String group, int limit)
      throws SQLException {
    String correlation = saga == null ? null : saga.toString();
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          NEWEST,
          this::message,
          before,
          before,
          correlation,
          correlation,
          group,
          group,
          limit);
    }
  }

  /** A message with all that it carries; empty when it is not parked here. */
  public Optional<ParkedMessage> find(UUID id) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, FIND, this::message, id);
    }
  }

  private ParkedMessage message(Row row) throws SQLException {
    String kept = row.text("headers");
    return new ParkedMessage(
        row.uuid("id"),
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.text("correlation_id"),
        row.text("reply_to"),
        row.text("reason"),
        row.text("detail"),
        row.time("parked_at"),
        row.integer("attempts"),
        row.time("next_attempt_at"),
        row.integer("redrives"),
        kept == null ? null : headers.read(kept),
        text(row.bytes("payload")),
        text(row.bytes("original_payload")),
        row.text("edited_by"),
        row.time("edited_at"));
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /**
   * As the transport handed it over; it was acknowledged when it was parked. What an operator has
   * made of it is not what the transport found fault with.
   */
  private Delivery delivery(Row row) throws SQLException {
    Map<String, String> kept = headers.read(row.text("headers"));
    boolean isAsItCame = row.time("edited_at") == null;
    return new Delivery(
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.text("correlation_id"),
        row.text("reply_to"),
        kept,
        row.bytes("payload"),
        () -> {},
        isAsItCame ? kept.get(MessageHeaders.FAULT) : null,
        row.text("routing_key"));
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
              Optional<Delivery> taken = Sql.find(tx, DELETE, this::delivery, id);
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

  /**
   * Counts a redrive before it is tried, and records who asked for it.
   *
   * @return whether it was parked longer ago than this
   */
  boolean beginRedrive(UUID id, String operator, Duration age) throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          AuditLog.record(tx, act(operator, "redrive", id, null, null));
          return Sql.find(tx, COUNT_REDRIVE, row -> row.truth("is_older"), id, seconds(age))
              .orElse(false);
        });
  }

  /** Records the outcome of a redrive. */
  void endRedrive(UUID id, String operator, RedriveResult.Outcome outcome) throws SQLException {
    DatabaseTransaction.run(
        database,
        tx -> AuditLog.record(tx, act(operator, "redrive-outcome", id, null, outcome.word())));
  }

  private static AuditEntry act(
      String operator,
      String action,
      UUID message,
      @Nullable String reason,
      @Nullable String detail) {
    return new AuditEntry(operator, action, AuditSubject.parkedMessage(message), reason, detail);
  }

  /**
   * Takes a message out as it was read, to be settled in the same transaction; empty when it is not
   * there or was edited since.
   *
   * @param editedAt when it was edited last; null when it was as it came
   */
  Optional<Delivery> take(Connection connection, UUID id, @Nullable Instant editedAt)
      throws SQLException {
    return Sql.find(connection, TAKE_AS_READ, this::delivery, id, editedAt);
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
    update(EXPLAIN, why.reason().word(), Parking.detail(why), id);
  }

  void update(String statement, @Nullable Object... parameters) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, statement, parameters);
    }
  }

  DataSource database() {
    return database;
  }

  MeterRegistry metrics() {
    return metrics;
  }

  void countRedrive(RedriveResult.Outcome outcome) {
    metrics.counter("onceflow.inbox.redriven", "outcome", outcome.word()).increment();
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
