package io.onceflow.order.imports;

import io.onceflow.core.Fingerprint;
import io.onceflow.core.ScopedKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code order_import}. */
final class ImportTable {

  private static final String INSERT =
      """
      INSERT INTO order_import
             (id, customer, idempotency_key, fingerprint, traceparent, total, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String LOCK_RUNNING_UNDER =
      """
      SELECT id, customer, fingerprint, traceparent
      FROM   order_import
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    status = 'RUNNING'
      FOR UPDATE
      """;

  private static final String LOCK_RUNNING =
      """
      SELECT id, customer, fingerprint, traceparent
      FROM   order_import
      WHERE  id = ?
      AND    status = 'RUNNING'
      FOR UPDATE
      """;

  private static final String RUNNING =
      """
      SELECT count(*)
      FROM   order_import
      WHERE  customer = ?
      AND    status = 'RUNNING'
      """;

  private static final String ADVANCE =
      """
      UPDATE order_import
      SET    placed = placed + ?
      WHERE  id = ?
      """;

  private static final String END =
      """
      UPDATE order_import
      SET    status = ?, ended_at = ?
      WHERE  id = ?
      """;

  private static final String OWN =
      """
      SELECT id, status, idempotency_key, total, placed, created_at, ended_at
      FROM   order_import
      WHERE  customer = ?
      AND    id = ?
      """;

  private static final String NEWEST =
      """
      SELECT   id, status, idempotency_key, total, placed, created_at, ended_at
      FROM     order_import
      WHERE    customer = ?
      AND      (?::uuid IS NULL OR id < ?)
      ORDER BY id DESC
      LIMIT    ?
      """;

  private ImportTable() {}

  static void insert(
      Connection connection, RunningImport begun, ScopedKey key, int total, Instant now)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, begun.id());
      insert.setString(2, begun.customer());
      insert.setString(3, key.key().value());
      insert.setBytes(4, begun.fingerprint().bytes());
      insert.setString(5, begun.traceparent());
      insert.setInt(6, total);
      insert.setObject(7, now.atOffset(ZoneOffset.UTC));
      insert.executeUpdate();
    }
  }

  /** Locks the import that runs under a key; at most one does. */
  static Optional<RunningImport> lockRunning(Connection connection, ScopedKey key)
      throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK_RUNNING_UNDER)) {
      lock.setString(1, key.scope());
      lock.setString(2, key.key().value());
      return running(lock);
    }
  }

  /** Locks an import; empty when it does not run. */
  static Optional<RunningImport> lockRunning(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK_RUNNING)) {
      lock.setObject(1, id);
      return running(lock);
    }
  }

  /** How many of a customer's imports run. */
  static long running(Connection connection, String customer) throws SQLException {
    try (PreparedStatement running = connection.prepareStatement(RUNNING)) {
      running.setString(1, customer);
      try (ResultSet row = running.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** So many more of its orders are placed. */
  static void advance(Connection connection, UUID id, int by) throws SQLException {
    try (PreparedStatement advance = connection.prepareStatement(ADVANCE)) {
      advance.setInt(1, by);
      advance.setObject(2, id);
      advance.executeUpdate();
    }
  }

  static void end(Connection connection, UUID id, ImportStatus status, Instant now)
      throws SQLException {
    try (PreparedStatement end = connection.prepareStatement(END)) {
      end.setString(1, status.name());
      end.setObject(2, now.atOffset(ZoneOffset.UTC));
      end.setObject(3, id);
      end.executeUpdate();
    }
  }

  /** The import of this id if it is this customer's, without its orders. */
  static Optional<OrderImport> own(Connection connection, String customer, UUID id)
      throws SQLException {
    try (PreparedStatement own = connection.prepareStatement(OWN)) {
      own.setString(1, customer);
      own.setObject(2, id);
      return shown(own).stream().findFirst();
    }
  }

  /** A customer's imports, newest first, without their orders. */
  static List<OrderImport> newest(
      Connection connection, String customer, @Nullable UUID before, int limit)
      throws SQLException {
    try (PreparedStatement newest = connection.prepareStatement(NEWEST)) {
      newest.setString(1, customer);
      newest.setObject(2, before);
      newest.setObject(3, before);
      newest.setInt(4, limit);
      return shown(newest);
    }
  }

  private static Optional<RunningImport> running(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      return row.next()
          ? Optional.of(
              new RunningImport(
                  row.getObject("id", UUID.class),
                  row.getString("customer"),
                  Fingerprint.stored(row.getBytes("fingerprint")),
                  row.getString("traceparent")))
          : Optional.empty();
    }
  }

  private static List<OrderImport> shown(PreparedStatement query) throws SQLException {
    List<OrderImport> found = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        OffsetDateTime endedAt = row.getObject("ended_at", OffsetDateTime.class);
        found.add(
            new OrderImport(
                row.getObject("id", UUID.class),
                ImportStatus.valueOf(row.getString("status")),
                row.getString("idempotency_key"),
                row.getInt("total"),
                row.getInt("placed"),
                null,
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                endedAt == null ? null : endedAt.toInstant()));
      }
    }
    return found;
  }
}
