package io.onceflow.outbox.internal;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * {@code outbox_lease} in PostgreSQL: one row for a whole batch, so that its messages need not be
 * written to be claimed.
 */
final class OutboxLeases {

  /** Under this lock a relay sees all leases, and its own is seen by the next one. */
  private static final String LOCK =
      """
      SELECT pg_advisory_xact_lock('outbox_lease'::regclass::oid::bigint)
      """;

  private static final String ADD =
      """
      INSERT INTO outbox_lease (id, first_id, last_id, ends_at)
      VALUES (?, ?, ?, clock_timestamp() + ? * interval '1 ms')
      """;

  private static final String END =
      """
      DELETE FROM outbox_lease
      WHERE  id = ?
      """;

  private static final String FORGET =
      """
      DELETE FROM outbox_lease
      WHERE  ends_at <= now() - interval '1 minute'
      """;

  private OutboxLeases() {}

  /** Waits for the claims of other relays. */
  static void lock(Connection connection) throws SQLException {
    Sql.query(connection, LOCK, row -> true);
  }

  /** Leases what lies from the first to the last of the messages. */
  static void add(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException {
    Sql.update(connection, ADD, lease, ids.getFirst(), ids.getLast(), length.toMillis());
  }

  static void end(Connection connection, UUID lease) throws SQLException {
    Sql.update(connection, END, lease);
  }

  static void forget(Connection connection) throws SQLException {
    Sql.update(connection, FORGET);
  }
}
