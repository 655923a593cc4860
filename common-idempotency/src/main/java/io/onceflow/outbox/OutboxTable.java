package io.onceflow.outbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** {@code outbox_message} in PostgreSQL; every statement takes one row or many. */
final class OutboxTable implements OutboxStore {

  private static final String INSERT =
      """
      INSERT INTO outbox_message
             (id, aggregatetype, aggregateid, type, payload,
              exchange, routing_key, correlation_id, reply_to, headers)
      SELECT id, aggregatetype, aggregateid, type, payload,
             exchange, routing_key, correlation_id, reply_to, headers::jsonb
      FROM   unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
             AS new (id, aggregatetype, aggregateid, type, payload,
                     exchange, routing_key, correlation_id, reply_to, headers)
      """;

  private static final String CLAIM =
      """
      SELECT   id, aggregatetype, aggregateid, type, payload,
               exchange, routing_key, correlation_id, reply_to, headers::text
      FROM     outbox_message
      WHERE    next_attempt_at <= now()
      ORDER BY id
      LIMIT    ?
      FOR UPDATE SKIP LOCKED          -- other relays pass by; a crash lets go
      """;

  private static final String DELETE =
      """
      DELETE FROM outbox_message
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String DEFER =
      """
      UPDATE outbox_message
      SET    attempts        = attempts + 1,
             next_attempt_at = now() + least(? * power(2, least(attempts, 20)), ?) * interval '1 ms'
      WHERE  id = ANY (?::uuid[])
      """;

  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final ObjectMapper json;

  OutboxTable(ObjectMapper json) {
    this.json = json;
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setArray(1, array(connection, "uuid", messages, OutboxMessage::id));
      insert.setArray(2, array(connection, "text", messages, OutboxMessage::aggregateType));
      insert.setArray(3, array(connection, "text", messages, OutboxMessage::aggregateId));
      insert.setArray(4, array(connection, "text", messages, OutboxMessage::type));
      insert.setArray(5, array(connection, "text", messages, OutboxMessage::payload));
      insert.setArray(6, array(connection, "text", messages, OutboxMessage::exchange));
      insert.setArray(7, array(connection, "text", messages, OutboxMessage::routingKey));
      insert.setArray(8, array(connection, "text", messages, OutboxMessage::correlationId));
      insert.setArray(9, array(connection, "text", messages, OutboxMessage::replyTo));
      insert.setArray(10, array(connection, "text", messages, m -> write(m.headers())));
      insert.executeUpdate();
    }
  }

  @Override
  public List<OutboxMessage> claim(Connection connection, int limit) throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setInt(1, limit);
      try (ResultSet rows = claim.executeQuery()) {
        List<OutboxMessage> claimed = new ArrayList<>();
        while (rows.next()) {
          claimed.add(read(rows));
        }
        return claimed;
      }
    }
  }

  @Override
  public void delete(Connection connection, Collection<UUID> ids) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      delete.executeUpdate();
    }
  }

  @Override
  public void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement defer = connection.prepareStatement(DEFER)) {
      defer.setLong(1, firstMs);
      defer.setLong(2, longestMs);
      defer.setArray(3, connection.createArrayOf("uuid", ids.toArray()));
      defer.executeUpdate();
    }
  }

  private OutboxMessage read(ResultSet row) throws SQLException {
    return new OutboxMessage(
        row.getObject(1, UUID.class),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        readHeaders(row.getString(10)));
  }

  private String write(Map<String, String> headers) {
    try {
      return json.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  private Map<String, String> readHeaders(String text) throws SQLException {
    try {
      return json.readValue(text, HEADERS);
    } catch (JsonProcessingException e) {
      throw new SQLException("outbox_message.headers holds no map of strings: " + text, e);
    }
  }

  private static java.sql.Array array(
      Connection connection,
      String type,
      Collection<OutboxMessage> messages,
      Function<OutboxMessage, ?> column)
      throws SQLException {
    return connection.createArrayOf(type, messages.stream().map(column).toArray());
  }
}
