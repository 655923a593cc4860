package io.onceflow.order.imports;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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

  private static final String LOCK_RUNNING =
      """
      SELECT id, customer, fingerprint, traceparent
      FROM   order_import
      WHERE  customer = ?
      AND    idempotency_key = ?
      AND    status = 'RUNNING'
      FOR UPDATE
      """;

  private static final String RUNNING =
      """
      SELECT count(*) AS running
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
      AND      (?::uuid IS NULL OR id < ?::uuid)
      ORDER BY id DESC
      LIMIT    ?
      """;

  private ImportTable() {}

  static void insert(
      Connection connection, RunningImport begun, IdempotencyKey key, int total, Instant now)
      throws SQLException {
    Sql.update(
        connection,
        INSERT,
        begun.id(),
        begun.customer(),
        key.value(),
        begun.fingerprint(),
        begun.traceparent(),
        total,
        now);
  }

  /** Locks the import that runs under a key; at most one does. */
  static Optional<RunningImport> lockRunning(
      Connection connection, String customer, IdempotencyKey key) throws SQLException {
    return Sql.find(connection, LOCK_RUNNING, ImportTable::running, customer, key.value());
  }

  /** How many of a customer's imports run. */
  static int running(Connection connection, String customer) throws SQLException {
    return Sql.query(connection, RUNNING, row -> row.integer("running"), customer).getFirst();
  }

  /** So many more of its orders are placed. */
  static void advance(Connection connection, UUID id, int by) throws SQLException {
    Sql.update(connection, ADVANCE, by, id);
  }

  static void end(Connection connection, UUID id, OrderImport.Status status, Instant now)
      throws SQLException {
    Sql.update(connection, END, status, now, id);
  }

  /** The import of this id if it is this customer's, without its orders. */
  static Optional<OrderImport> own(Connection connection, String customer, UUID id)
      throws SQLException {
    return Sql.find(connection, OWN, ImportTable::shown, customer, id);
  }

  /** A customer's imports, newest first, without their orders. */
  static List<OrderImport> newest(
      Connection connection, String customer, @Nullable UUID before, int limit)
      throws SQLException {
    return Sql.query(connection, NEWEST, ImportTable::shown, customer, before, before, limit);
  }

  private static RunningImport running(Row row) throws SQLException {
    return new RunningImport(
        row.uuid("id"), row.text("customer"), row.text("fingerprint"), row.text("traceparent"));
  }

  private static OrderImport shown(Row row) throws SQLException {
    return new OrderImport(
        row.uuid("id"),
        row.constant("status", OrderImport.Status.class),
        row.text("idempotency_key"),
        row.integer("total"),
        row.integer("placed"),
        null,
        row.time("created_at"),
        row.time("ended_at"));
  }
}
