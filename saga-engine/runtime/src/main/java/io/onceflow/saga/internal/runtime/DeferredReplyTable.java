package io.onceflow.saga.internal.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
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

  private static final String KNOWN =
      """
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[], ?::text[]) AS known (definition, version, type)
               USING (definition, version, type)
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
      RETURNING *
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

  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final ObjectMapper json;

  DeferredReplyTable(ObjectMapper json) {
    this.json = json;
  }

  void insert(Connection tx, Delivery reply, RequiredVersion waitsFor) throws SQLException {
    try (PreparedStatement insert = tx.prepareStatement(INSERT)) {
      insert.setObject(1, OutboxMessage.newId());
      insert.setObject(2, waitsFor.sagaId());
      insert.setString(3, waitsFor.definition());
      insert.setInt(4, waitsFor.version());
      insert.setString(5, reply.type());
      insert.setString(6, reply.queue());
      insert.setString(7, reply.messageId());
      insert.setString(8, reply.replyTo());
      insert.setString(9, reply.routingKey());
      insert.setString(10, write(reply.headers()));
      insert.setBytes(11, reply.body());
      insert.executeUpdate();
    }
  }

  List<UUID> known(Connection connection, List<RequiredVersion.Kind> kinds, int most)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(KNOWN)) {
      select.setArray(1, array(connection, "text", kinds, RequiredVersion.Kind::definition));
      select.setArray(2, array(connection, "int4", kinds, RequiredVersion.Kind::version));
      select.setArray(3, array(connection, "text", kinds, RequiredVersion.Kind::type));
      select.setInt(4, most);
      return ids(select);
    }
  }

  List<UUID> expired(Connection connection, Duration age, int most) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(EXPIRED)) {
      select.setDouble(1, age.toMillis() / 1_000.0);
      select.setInt(2, most);
      return ids(select);
    }
  }

  Optional<Delivery> take(Connection tx, UUID id) throws SQLException {
    try (PreparedStatement take = tx.prepareStatement(TAKE)) {
      take.setObject(1, id);
      try (ResultSet row = take.executeQuery()) {
        return row.next() ? Optional.of(delivery(row)) : Optional.empty();
      }
    }
  }

  List<DeferredReply> newest(Connection connection, @Nullable UUID before, int most)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(NEWEST)) {
      select.setObject(1, before);
      select.setObject(2, before);
      select.setInt(3, most);
      try (ResultSet rows = select.executeQuery()) {
        List<DeferredReply> replies = new ArrayList<>();
        while (rows.next()) {
          replies.add(listed(rows));
        }
        return replies;
      }
    }
  }

  DeferredReplies.Backlog backlog(Connection connection, int most) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(BACKLOG)) {
      count.setInt(1, most);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return new DeferredReplies.Backlog(row.getLong("waiting"), row.getDouble("oldest"));
      }
    }
  }

  private static DeferredReply listed(ResultSet row) throws SQLException {
    return new DeferredReply(
        row.getObject("id", UUID.class),
        row.getObject("saga_id", UUID.class),
        row.getString("definition"),
        row.getInt("version"),
        row.getString("type"),
        row.getString("message_id"),
        row.getString("routing_key"),
        row.getObject("received_at", OffsetDateTime.class).toInstant());
  }

  /** As the transport handed it over; it was acknowledged when it was deferred. */
  private Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
            row.getString("queue"),
            row.getString("message_id"),
            row.getString("type"),
            row.getObject("saga_id", UUID.class).toString(),
            row.getString("reply_to"),
            headers(row.getString("headers")),
            row.getBytes("payload"),
            () -> {})
        .routedBy(row.getString("routing_key"));
  }

  private static List<UUID> ids(PreparedStatement select) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getObject("id", UUID.class));
      }
    }
    return ids;
  }

  private static java.sql.Array array(
      Connection connection,
      String type,
      List<RequiredVersion.Kind> kinds,
      java.util.function.Function<RequiredVersion.Kind, Object> column)
      throws SQLException {
    return connection.createArrayOf(type, kinds.stream().map(column).toArray());
  }

  private String write(Map<String, String> headers) {
    try {
      return json.writeValueAsString(headers).replace("\\u0000", "\\ufffd");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  private Map<String, String> headers(String text) {
    try {
      return json.readValue(text, HEADERS);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("headers are written as a map of strings", e);
    }
  }
}
