package io.onceflow.saga.internal.runtime;

import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.texts;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.SagaDefinition;
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
import org.jspecify.annotations.Nullable;

/** {@code deferred_reply}. */
final class DeferredReplyTable {

  private static final String INSERT =
      """
      INSERT INTO deferred_reply
             (id, saga_id, definition, version, type, queue, message_id, reply_to, routing_key,
              headers, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?)
      """;

  /** Those, and only those, that {@link LockedSagas#route} does not defer again. */
  private static final String KNOWN =
      """
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[], ?::text[]) AS known (definition, version, type)
               USING (definition, version, type)
      UNION                           -- those that are known by their outcome, whatever their type
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[]) AS known (definition, version)
               USING (definition, version)
      WHERE    headers ->> 'x-outcome' IN ('refused', 'cancelled', 'expired', 'unavailable', 'pending')
      OR       headers ->> 'x-outcome' = 'done' AND type = 'StepDone'
      UNION
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[], ?::text[]) AS known (definition, version, step)
               USING (definition, version)
      WHERE    headers ->> 'x-outcome' = 'done'
      AND      headers ->> 'x-saga-step' = step
      ORDER BY id                     -- UUIDv7: the order of arrival
      LIMIT    ?
      """;

  private static final String EXPIRED =
      """
      SELECT   id
      FROM     deferred_reply
      WHERE    received_at < now() - make_interval(secs => ?)
      ORDER BY received_at
      LIMIT    ?
      """;

  private static final String TAKE =
      """
      DELETE FROM deferred_reply
      WHERE  id = (SELECT id FROM deferred_reply WHERE id = ? FOR UPDATE SKIP LOCKED)
      RETURNING queue, message_id, type, saga_id, reply_to, headers, payload, routing_key
      """;

  private static final String NEWEST =
      """
      SELECT   id, saga_id, definition, version, type, message_id, routing_key, received_at
      FROM     deferred_reply
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC
      LIMIT    ?
      """;

  private static final String BACKLOG =
      """
      SELECT count(*) AS waiting,
             coalesce(extract(epoch FROM now() - min(received_at)), 0) AS oldest
      FROM   (SELECT received_at FROM deferred_reply ORDER BY received_at LIMIT ?) AS counted
      """;

  private final JsonColumn<Map<String, String>> headers;

  /**
   * Which replies a replica knows.
   *
   * @param kinds by their type
   * @param versions of definitions; of their sagas it knows all replies whose outcome says it all
   * @param successes of which a reply of any type tells
   */
  record Known(
      List<RequiredVersion.Kind> kinds,
      List<? extends SagaDefinition<?>> versions,
      List<RequiredVersion.AnySuccess> successes) {}

  DeferredReplyTable(ObjectMapper json) {
    headers = new JsonColumn<>("deferred_reply.headers", json, new TypeReference<>() {});
  }

  void insert(Connection tx, Delivery reply, RequiredVersion waitsFor) throws SQLException {
    Sql.update(
        tx,
        INSERT,
        OutboxMessage.newId(),
        waitsFor.sagaId(),
        waitsFor.definition(),
        waitsFor.version(),
        reply.type(),
        reply.queue(),
        reply.messageId(),
        reply.replyTo(),
        reply.routingKey(),
        headers.write(reply.headers()).replace("\\u0000", "\\ufffd"),
        reply.body());
  }

  List<UUID> known(Connection connection, Known known, int most) throws SQLException {
    return Sql.query(
        connection,
        KNOWN,
        DeferredReplyTable::id,
        texts(known.kinds(), RequiredVersion.Kind::definition),
        integers(known.kinds(), RequiredVersion.Kind::version),
        texts(known.kinds(), RequiredVersion.Kind::type),
        texts(known.versions(), SagaDefinition::name),
        integers(known.versions(), SagaDefinition::version),
        texts(known.successes(), RequiredVersion.AnySuccess::definition),
        integers(known.successes(), RequiredVersion.AnySuccess::version),
        texts(known.successes(), RequiredVersion.AnySuccess::step),
        most);
  }

  List<UUID> expired(Connection connection, Duration age, int most) throws SQLException {
    return Sql.query(connection, EXPIRED, DeferredReplyTable::id, age.toMillis() / 1_000.0, most);
  }

  Optional<Delivery> take(Connection tx, UUID id) throws SQLException {
    return Sql.find(tx, TAKE, this::delivery, id);
  }

  List<DeferredReply> newest(Connection connection, @Nullable UUID before, int most)
      throws SQLException {
    return Sql.query(connection, NEWEST, DeferredReplyTable::listed, before, before, most);
  }

  DeferredReplies.Backlog backlog(Connection connection, int most) throws SQLException {
    return Sql.find(
            connection,
            BACKLOG,
            row -> new DeferredReplies.Backlog(row.bigint("waiting"), row.real("oldest")),
            most)
        .orElseThrow();
  }

  private static UUID id(Row row) throws SQLException {
    return row.uuid("id");
  }

  private static DeferredReply listed(Row row) throws SQLException {
    return new DeferredReply(
        row.uuid("id"),
        row.uuid("saga_id"),
        row.text("definition"),
        row.integer("version"),
        row.text("type"),
        row.text("message_id"),
        row.text("routing_key"),
        row.time("received_at"));
  }

  /** As the transport handed it over; it was acknowledged when it was deferred. */
  private Delivery delivery(Row row) throws SQLException {
    return new Delivery(
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.uuid("saga_id").toString(),
        row.text("reply_to"),
        headers.read(row.text("headers")),
        row.bytes("payload"),
        () -> {},
        null,
        row.text("routing_key"));
  }
}
