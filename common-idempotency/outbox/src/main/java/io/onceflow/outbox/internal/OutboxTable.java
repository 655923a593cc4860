package io.onceflow.outbox.internal;

import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.uuids;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering.Aggregate;
import io.onceflow.outbox.internal.AggregateOrdering.Older;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

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

  /** Sees the rows that it deletes: what was confirmed is among what is under way. */
  private static final String INSERT_AND_DELETE =
      "WITH confirmed AS (DELETE FROM outbox_message WHERE id = ANY (?::uuid[]))\n"
          + INSERT
          + """
          RETURNING id, exchange NOT IN ('%s', '%s') AND EXISTS (
            SELECT
            FROM   outbox_message older
            WHERE  older.aggregateid = outbox_message.aggregateid
            AND    older.aggregatetype = outbox_message.aggregatetype
            AND    older.id < outbox_message.id
            AND    older.id <> ALL (?::uuid[])) AS is_held_up
          """
              .formatted(OutboxMessage.COMMANDS, OutboxMessage.REPLIES);

  private static final String OLDER =
      """
      SELECT older.aggregatetype, older.aggregateid, older.id
      FROM   (SELECT * FROM unnest(?::text[], ?::text[], ?::uuid[]) %s)
             AS newest (aggregatetype, aggregateid, id)
      CROSS JOIN LATERAL (
        SELECT m.aggregatetype, m.aggregateid, m.id
        FROM   outbox_message m
        WHERE  m.aggregateid = newest.aggregateid
        OFFSET 0                         -- one look each: a join, or the ids, would read it all
      ) AS older
      WHERE  older.aggregatetype = newest.aggregatetype
      AND    older.id < newest.id
      """
          .formatted(Sql.WITH_ONE_PLAN);

  private static final String WAITING =
      """
      SELECT again.id
      FROM   unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
             AS again (id, aggregateid, correlation_id, type, payload, headers)
      WHERE  EXISTS (
               SELECT
               FROM   (SELECT correlation_id, type, payload, headers
                       FROM   outbox_message m
                       WHERE  m.aggregateid = again.aggregateid
                       OFFSET 0) AS before
               WHERE  before.correlation_id = again.correlation_id
               AND    before.type = again.type
               AND    before.payload = again.payload
               AND    before.headers - 'traceparent' = again.headers::jsonb - 'traceparent'
             )
      """;

  private static final String PUT_OFF =
      """
      UPDATE outbox_message later            -- until the older one is tried, but looked at now and then
      SET    next_attempt_at = greatest(now() + interval '100 ms', least(now() + interval '1 s',
               (SELECT max(older.next_attempt_at)
                FROM   (SELECT *
                        FROM   outbox_message m
                        WHERE  m.aggregateid = later.aggregateid
                        OFFSET 0) AS older
                WHERE  older.aggregatetype = later.aggregatetype
                AND    older.id < later.id)))
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
   * empty, and best read from end to end, dead rows and all. And these transactions are short, or
   * their process stands still: others wait for their locks.
   */
  private static final String BY_INDEX =
      """
      SELECT set_config('enable_seqscan', 'off', true),
             set_config('idle_in_transaction_session_timeout', '2s', true)
      """;

  private static final String DEFER =
      """
      UPDATE outbox_message
      SET    attempts        = least(attempts, 2147483646) + 1,   -- or one row would fail its batch
             next_attempt_at = now() + least(? * power(2, least(attempts, 20)), ?) * interval '1 ms'
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String CHANNELS =
      """
      SELECT DISTINCT routing_key
      FROM   outbox_message
      WHERE  exchange = 'onceflow.channels'
      """;

  private static final Duration FIRST_LOOK = Duration.ofSeconds(10);
  private static final Duration LATER_LOOKS = Duration.ofMinutes(5);

  private final HeadersColumn headers;
  private final OutboxClaims claims;

  /** For writers, and tests. */
  public OutboxTable(ObjectMapper json) {
    this(json, OutboxClaims.TRANSPORT, LATER_LOOKS);
  }

  /** For the relays of the transport. */
  public OutboxTable(ObjectMapper json, OutboxConfig.Relay relay) {
    this(json, relay, OutboxClaims.TRANSPORT);
  }

  /** For the relay of a channel, whose messages lie in the same table. */
  public OutboxTable(ObjectMapper json, OutboxConfig.Relay relay, String channel) {
    this(json, channel, relay.longestPause(LATER_LOOKS));
  }

  private OutboxTable(ObjectMapper json, String channel, Duration longestPause) {
    this.headers = new HeadersColumn(json);
    this.claims = new OutboxClaims(new OutboxRows(headers), channel, longestPause);
  }

  /** The channels that messages wait for. */
  public static List<String> channelsWaitedFor(Connection connection) throws SQLException {
    return Sql.query(connection, CHANNELS, row -> row.text("routing_key"));
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    Sql.update(connection, INSERT, columns(messages, grace));
  }

  @Override
  public Set<UUID> insert(
      Connection connection,
      Collection<OutboxMessage> messages,
      Duration grace,
      Set<UUID> underWay,
      Set<UUID> confirmed)
      throws SQLException {
    List<Object> parameters = new ArrayList<>();
    parameters.add(uuids(confirmed));
    parameters.addAll(Arrays.asList(columns(messages, grace)));
    parameters.add(uuids(underWay));
    return Sql.queryWithFreshPlan(
            connection,
            INSERT_AND_DELETE,
            row -> row.truth("is_held_up") ? row.uuid("id") : null,
            parameters.toArray())
        .stream()
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  private Object[] columns(Collection<OutboxMessage> messages, Duration grace) {
    return new Object[] {
      grace.toMillis(),
      uuids(messages, OutboxMessage::id),
      texts(messages, OutboxMessage::aggregateType),
      texts(messages, OutboxMessage::aggregateId),
      texts(messages, OutboxMessage::type),
      texts(messages, OutboxMessage::payload),
      texts(messages, OutboxMessage::exchange),
      texts(messages, OutboxMessage::routingKey),
      texts(messages, OutboxMessage::correlationId),
      texts(messages, OutboxMessage::replyTo),
      texts(messages, message -> headers.write(message.headers()))
    };
  }

  @Override
  public Set<UUID> waiting(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    if (messages.isEmpty()) {
      return Set.of();
    }
    set(connection, "SET LOCAL enable_seqscan TO off");
    List<UUID> waiting =
        Sql.queryWithFreshPlan(
            connection,
            WAITING,
            row -> row.uuid("id"),
            uuids(messages, OutboxMessage::id),
            texts(messages, OutboxMessage::aggregateId),
            texts(messages, OutboxMessage::correlationId),
            texts(messages, OutboxMessage::type),
            texts(messages, OutboxMessage::payload),
            texts(messages, message -> headers.write(message.headers())));
    set(connection, "SET LOCAL enable_seqscan TO DEFAULT");
    return Set.copyOf(waiting);
  }

  @Override
  public void expectChange(Connection connection) throws SQLException {
    set(connection, BY_INDEX);
  }

  private static void set(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(setting);
    }
  }

  @Override
  public UUID claimsBegin(Connection connection, UUID mark) throws SQLException {
    return OldestMessage.from(connection, mark);
  }

  /** Rows that cannot be read are put off. */
  @Override
  public List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
      throws SQLException {
    OutboxRows.Read read = claims.claim(connection, limit, youngerThan);
    defer(connection, read.unreadable(), FIRST_LOOK.toMillis(), LATER_LOOKS.toMillis());
    OutboxRows.report(read.unreadable(), LATER_LOOKS);
    return read.messages();
  }

  /** Its plan is kept, since {@link #expectChange} leaves one only, whatever the table holds. */
  @Override
  public List<Older> older(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    Map<Aggregate, UUID> newest = AggregateOrdering.newest(messages);
    if (newest.isEmpty()) {
      return List.of();
    }
    return Sql.query(
        connection,
        OLDER,
        row ->
            new Older(
                new Aggregate(row.text("aggregatetype"), row.text("aggregateid")), row.uuid("id")),
        texts(newest.keySet(), Aggregate::type),
        texts(newest.keySet(), Aggregate::id),
        uuids(newest.values()));
  }

  @Override
  public void putOff(Connection connection, Collection<UUID> ids) throws SQLException {
    update(connection, PUT_OFF, ids);
  }

  @Override
  public void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException {
    claims.lease(connection, lease, ids, length);
  }

  @Override
  public void endLease(Connection connection, UUID lease) throws SQLException {
    OutboxClaims.end(connection, lease);
  }

  @Override
  public void release(Connection connection, Collection<UUID> ids) throws SQLException {
    update(connection, RELEASE, ids);
  }

  @Override
  public void delete(Connection connection, Collection<UUID> ids) throws SQLException {
    if (!ids.isEmpty()) {
      Sql.updateWithFreshPlan(connection, DELETE, uuids(ids));
    }
  }

  private static void update(Connection connection, String statement, Collection<UUID> ids)
      throws SQLException {
    if (!ids.isEmpty()) {
      Sql.update(connection, statement, uuids(ids));
    }
  }

  @Override
  public void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
      throws SQLException {
    if (!ids.isEmpty()) {
      Sql.update(connection, DEFER, firstMs, longestMs, uuids(ids));
    }
  }
}
