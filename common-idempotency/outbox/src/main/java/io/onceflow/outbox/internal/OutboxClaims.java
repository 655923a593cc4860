package io.onceflow.outbox.internal;

import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The claims of relays in PostgreSQL. A batch is claimed by one row of {@code outbox_lease}, so
 * that its messages need not be written.
 *
 * @param channel whose messages are claimed; {@link #TRANSPORT} for those of no channel
 * @param longestPause for which a message is put off, or leased
 */
record OutboxClaims(OutboxRows rows, String channel, Duration longestPause) {

  static final String TRANSPORT = "";

  /** Under this lock a relay sees all leases, and its own is seen by the next one. */
  private static final String LOCK =
      """
      SELECT pg_advisory_xact_lock('outbox_lease'::regclass::oid::integer, hashtext(?))
      """;

  private static final String CLAIM =
      """
      WITH lease AS MATERIALIZED (          -- read once, not for each message
        SELECT first_id, last_id
        FROM   outbox_lease
        WHERE  NOT %s
        AND    channel = ?
      )
      SELECT   id, aggregatetype, aggregateid, type, payload,
               exchange, routing_key, correlation_id, reply_to, headers::text
      FROM     outbox_message message
      WHERE    %s
      AND      id > ?
      AND      NOT EXISTS (SELECT FROM lease WHERE message.id BETWEEN first_id AND last_id)
      AND      %%s
      ORDER BY id
      LIMIT    ?
      """
          .formatted(
              LeaseCondition.isOver("ends_at", "? * interval '1 ms'"),
              LeaseCondition.isOver("next_attempt_at", "? * interval '1 ms'"));

  private static final String CLAIM_OF_TRANSPORT =
      CLAIM.formatted("exchange <> 'onceflow.channels'");

  private static final String CLAIM_OF_CHANNEL =
      CLAIM.formatted("exchange = 'onceflow.channels' AND routing_key = ?");

  private static final String LEASE =
      """
      INSERT INTO outbox_lease (id, channel, first_id, last_id, ends_at)
      VALUES (?, ?, ?, ?, clock_timestamp() + ? * interval '1 ms')
      """;

  /** With those of relays that have died. */
  private static final String END =
      """
      DELETE FROM outbox_lease
      WHERE  id = ?
      OR     ends_at <= now() - interval '1 minute'
      """;

  /** Reads the oldest that are due and not leased; other claims wait for the transaction's end. */
  OutboxRows.Read claim(Connection connection, int limit, UUID youngerThan) throws SQLException {
    Sql.query(connection, LOCK, row -> true, channel);
    long pause = longestPause.toMillis();
    return channel.equals(TRANSPORT)
        ? rows.read(connection, CLAIM_OF_TRANSPORT, pause, channel, pause, youngerThan, limit)
        : rows.read(
            connection, CLAIM_OF_CHANNEL, pause, channel, pause, youngerThan, channel, limit);
  }

  /** Leases what lies from the first to the last of the messages. */
  void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException {
    UUID first = ids.getFirst();
    Sql.update(connection, LEASE, lease, channel, first, ids.getLast(), length.toMillis());
  }

  static void end(Connection connection, UUID lease) throws SQLException {
    Sql.update(connection, END, lease);
  }
}
