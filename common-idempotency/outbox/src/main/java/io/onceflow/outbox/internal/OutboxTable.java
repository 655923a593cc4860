package io.onceflow.outbox.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering.Aggregate;
import io.onceflow.outbox.internal.AggregateOrdering.Older;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.postgresql.PGStatement;

/** {@code outbox_message} in PostgreSQL; every statement takes one row or many. */
public final class OutboxTable implements OutboxStore {

  private static final String INSERT =
      """
      INSERT INTO outbox_message
             (id, aggregatetype, aggregateid, type, payload,
              exchange, routing_key, correlation_id, reply_to, headers, next_attempt_at)
      SELECT id, aggregatetype, aggregateid, type, payload,
             exchange, routing_key, correlation_id, reply_to, headers::jsonb,
             clock_timestamp() + ? * interval '1 ms'
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
      AND      id > ?
      ORDER BY id
      LIMIT    ?
      FOR UPDATE SKIP LOCKED          -- other relays pass by; a crash lets go
      """;

  private static final String OLDER =
      """
      SELECT older.aggregatetype, older.aggregateid, older.id
      FROM   unnest(?::text[], ?::text[], ?::uuid[]) AS newest (aggregatetype, aggregateid, id)
      CROSS JOIN LATERAL (
        SELECT m.aggregatetype, m.aggregateid, m.id
        FROM   outbox_message m
        WHERE  m.aggregateid = newest.aggregateid
        OFFSET 0                         -- one look each: a join, or the ids, would read it all
      ) AS older
      WHERE  older.aggregatetype = newest.aggregatetype
      AND    older.id < newest.id
      """;

  private static final String PUT_OFF =
      """
      UPDATE outbox_message later            -- until the older one is tried, but looked at now and then
      SET    next_attempt_at = greatest(now() + interval '10 ms', least(now() + interval '1 s',
               (SELECT max(older.next_attempt_at)
                FROM   (SELECT *
                        FROM   outbox_message m
                        WHERE  m.aggregateid = later.aggregateid
                        OFFSET 0) AS older
                WHERE  older.aggregatetype = later.aggregatetype
                AND    older.id < later.id)))
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String LEASE =
      """
      UPDATE outbox_message
      SET    next_attempt_at = clock_timestamp() + ? * interval '1 ms'
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String RELEASE =
      """
      UPDATE outbox_message
      SET    next_attempt_at = now()
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String DELETE =
      """
      DELETE FROM outbox_message
      WHERE  id = ANY (?::uuid[])
      """;

  /**
   * Rows come and go, so whatever statistics say of the table is long past: mostly that it is
   * empty, and best read from end to end, dead rows and all.
   */
  private static final String BY_INDEX = "SET LOCAL enable_seqscan TO off";

  private static final String BY_INDEX_FROM_NOW_ON = "SET enable_seqscan TO off";
  private static final String AS_ALWAYS = "RESET enable_seqscan";

  private static final String DEFER =
      """
      UPDATE outbox_message
      SET    attempts        = attempts + 1,
             next_attempt_at = now() + least(? * power(2, least(attempts, 20)), ?) * interval '1 ms'
      WHERE  id = ANY (?::uuid[])
      """;

  private static final Logger LOG = Logger.getLogger(OutboxTable.class);

  private static final Duration FIRST_LOOK = Duration.ofSeconds(10);
  private static final Duration LATER_LOOKS = Duration.ofMinutes(5);

  private static final UUID OLDEST = new UUID(0, 0);

  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final ObjectMapper json;

  public OutboxTable(ObjectMapper json) {
    this.json = json;
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    insert(connection, messages, Duration.ZERO);
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setLong(1, grace.toMillis());
      insert.setArray(2, array(connection, "uuid", messages, OutboxMessage::id));
      insert.setArray(3, array(connection, "text", messages, OutboxMessage::aggregateType));
      insert.setArray(4, array(connection, "text", messages, OutboxMessage::aggregateId));
      insert.setArray(5, array(connection, "text", messages, OutboxMessage::type));
      insert.setArray(6, array(connection, "text", messages, OutboxMessage::payload));
      insert.setArray(7, array(connection, "text", messages, OutboxMessage::exchange));
      insert.setArray(8, array(connection, "text", messages, OutboxMessage::routingKey));
      insert.setArray(9, array(connection, "text", messages, OutboxMessage::correlationId));
      insert.setArray(10, array(connection, "text", messages, OutboxMessage::replyTo));
      insert.setArray(11, array(connection, "text", messages, m -> write(m.headers())));
      insert.executeUpdate();
    }
  }

  @Override
  public void expectChange(Connection connection) throws SQLException {
    set(connection, BY_INDEX);
  }

  @Override
  public void expectChangeFromNowOn(Connection connection) throws SQLException {
    set(connection, BY_INDEX_FROM_NOW_ON);
  }

  @Override
  public void expectNoChange(Connection connection) throws SQLException {
    set(connection, AS_ALWAYS);
  }

  private static void set(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(setting);
    }
  }

  @Override
  public List<OutboxMessage> claim(Connection connection, int limit) throws SQLException {
    return claim(connection, limit, OLDEST);
  }

  @Override
  public List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
      throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setObject(1, youngerThan);
      claim.setInt(2, limit);
      List<OutboxMessage> claimed = new ArrayList<>();
      List<UUID> unreadable = new ArrayList<>();
      try (ResultSet rows = claim.executeQuery()) {
        while (rows.next()) {
          Optional<Map<String, String>> headers = readHeaders(rows.getString(10));
          if (headers.isPresent()) {
            claimed.add(read(rows, headers.get()));
          } else {
            unreadable.add(rows.getObject(1, UUID.class));
          }
        }
      }
      setAside(connection, unreadable);
      return claimed;
    }
  }

  /**
   * A row that cannot be read costs itself alone; it stays until an operator repairs or deletes it.
   */
  private void setAside(Connection connection, List<UUID> unreadable) throws SQLException {
    defer(connection, unreadable, FIRST_LOOK.toMillis(), LATER_LOOKS.toMillis());
    unreadable.forEach(
        id ->
            LOG.errorf(
                "outbox_message %s is not published: its headers are no map of strings; repair or"
                    + " delete the row. It is looked at again within %s",
                id, LATER_LOOKS));
  }

  @Override
  public List<Older> older(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    Map<Aggregate, UUID> newest = AggregateOrdering.newest(messages);
    try (PreparedStatement select = planned(connection, OLDER)) {
      select.setArray(1, array(connection, "text", newest.keySet(), Aggregate::type));
      select.setArray(2, array(connection, "text", newest.keySet(), Aggregate::id));
      select.setArray(3, connection.createArrayOf("uuid", newest.values().toArray()));
      try (ResultSet rows = select.executeQuery()) {
        List<Older> older = new ArrayList<>();
        while (rows.next()) {
          Aggregate aggregate = new Aggregate(rows.getString(1), rows.getString(2));
          older.add(new Older(aggregate, rows.getObject(3, UUID.class)));
        }
        return older;
      }
    }
  }

  @Override
  public void putOff(Connection connection, Collection<UUID> ids) throws SQLException {
    update(connection, PUT_OFF, ids);
  }

  @Override
  public void lease(Connection connection, Collection<UUID> ids, Duration lease)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(LEASE)) {
      update.setLong(1, lease.toMillis());
      update.setArray(2, connection.createArrayOf("uuid", ids.toArray()));
      update.executeUpdate();
    }
  }

  @Override
  public void release(Connection connection, Collection<UUID> ids) throws SQLException {
    update(connection, RELEASE, ids);
  }

  @Override
  public void delete(Connection connection, Collection<UUID> ids) throws SQLException {
    update(connection, DELETE, ids);
  }

  /**
   * Planned for each execution. This table is empty at one moment and huge at the next: a plan that
   * was made and kept while it was empty reads all of it for every row.
   */
  private static PreparedStatement planned(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    return statement;
  }

  private static void update(Connection connection, String statement, Collection<UUID> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(statement)) {
      update.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      update.executeUpdate();
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

  private static OutboxMessage read(ResultSet row, Map<String, String> headers)
      throws SQLException {
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
        headers);
  }

  private String write(Map<String, String> headers) {
    try {
      return json.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  /** Empty if they are no map of strings. */
  private Optional<Map<String, String>> readHeaders(String text) {
    try {
      return Optional.of(json.readValue(text, HEADERS));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static <T> java.sql.Array array(
      Connection connection, String type, Collection<T> rows, Function<T, ?> column)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(column).toArray());
  }
}
