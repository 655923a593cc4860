package io.onceflow.outbox.internal;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering.Older;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The messages of one channel in {@code outbox_message}, for the relay of that channel. A batch is
 * leased by putting its rows off: leases of {@code outbox_lease} are ranges, in which rows of other
 * channels and of the transport lie. One thread uses it.
 */
public final class ChannelRows implements OutboxStore {

  private static final String CLAIM =
      """
      SELECT   id, aggregatetype, aggregateid, type, payload,
               exchange, routing_key, correlation_id, reply_to, headers::text
      FROM     outbox_message
      WHERE    exchange = 'onceflow.channels'
      AND      routing_key = ?
      AND      id > ?
      AND      %s
      ORDER BY id
      LIMIT    ?
      FOR UPDATE SKIP LOCKED             -- another relay of the channel claims at the same time
      """
          .formatted(OutboxTable.IS_DUE);

  private static final String LEASE =
      """
      UPDATE outbox_message
      SET    next_attempt_at = clock_timestamp() + ? * interval '1 ms'
      WHERE  id = ANY (?::uuid[])
      """;

  private static final String CHANNELS =
      """
      SELECT DISTINCT routing_key
      FROM   outbox_message
      WHERE  exchange = 'onceflow.channels'
      """;

  private final OutboxTable table;
  private final String channel;
  private final Map<UUID, Set<UUID>> leased = new HashMap<>();

  public ChannelRows(OutboxTable table, String channel) {
    this.table = table;
    this.channel = channel;
  }

  /** The channels that messages wait for. */
  public static List<String> waitedFor(Connection connection) throws SQLException {
    return Sql.query(connection, CHANNELS, row -> row.text("routing_key"));
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException {
    table.insert(connection, messages, grace);
  }

  @Override
  public void expectChange(Connection connection) throws SQLException {
    table.expectChange(connection);
  }

  @Override
  public List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
      throws SQLException {
    return table.readable(
        connection, CLAIM, channel, youngerThan, table.longestPause().toMillis(), limit);
  }

  @Override
  public List<Older> older(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    return table.older(connection, messages);
  }

  @Override
  public void putOff(Connection connection, Collection<UUID> ids) throws SQLException {
    table.putOff(connection, ids);
  }

  @Override
  public void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException {
    Sql.update(connection, LEASE, length.toMillis(), uuids(ids));
    leased.clear();
    leased.put(lease, new HashSet<>(ids));
  }

  @Override
  public void endLease(Connection connection, UUID lease) throws SQLException {
    Set<UUID> left = leased.remove(lease);
    if (left != null) {
      table.release(connection, left);
    }
  }

  @Override
  public void delete(Connection connection, Collection<UUID> ids) throws SQLException {
    table.delete(connection, ids);
    settled(ids);
  }

  @Override
  public void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
      throws SQLException {
    table.defer(connection, ids, firstMs, longestMs);
    settled(ids);
  }

  private void settled(Collection<UUID> ids) {
    leased.values().forEach(some -> some.removeAll(ids));
  }
}
