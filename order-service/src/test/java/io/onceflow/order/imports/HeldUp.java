package io.onceflow.order.imports;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Holds a customer's import up at one of its lines, by locking that line's row. */
final class HeldUp implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final String LOCK_LINE =
      """
      SELECT line.position
      FROM   order_import_line line
      JOIN   order_import i ON i.id = line.import_id
      WHERE  i.customer = ?
      AND    line.position = ?
      AND    line.order_id IS NULL
      FOR UPDATE OF line
      """;

  private static final String LOCK_IMPORT =
      """
      SELECT id
      FROM   order_import
      WHERE  customer = ?
      FOR UPDATE
      """;

  /** In a transaction pg_stat_activity stays as it was first seen; pg_locks does not. */
  private static final String WHO_WAITS =
      """
      SELECT count(DISTINCT pid)
      FROM   pg_locks
      WHERE  NOT granted
      AND    pg_backend_pid() = ANY (pg_blocking_pids(pid))
      """;

  private static final String END_WHO_WAITS =
      """
      SELECT count(pg_terminate_backend(pid))
      FROM   pg_locks
      WHERE  NOT granted
      AND    pg_backend_pid() = ANY (pg_blocking_pids(pid))
      """;

  private final Connection connection;

  HeldUp(DataSource database) throws SQLException {
    connection = database.getConnection();
    connection.setAutoCommit(false);
  }

  /** Waits until the import of this customer stands still before the line is placed. */
  void at(String customer, int position) throws SQLException {
    lock(LOCK_LINE, customer, position);
    awaitHeldUp();
  }

  /** Lets nobody touch the customer's import. */
  void whole(String customer) throws SQLException {
    lock(LOCK_IMPORT, customer);
  }

  void awaitHeldUp() {
    await("the import is held up").atMost(SOON).until(() -> number(WHO_WAITS) == 1);
  }

  private void lock(String query, Object... parameters) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        lock.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = lock.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("there is nothing to hold up any more");
        }
      }
    }
  }

  /** Breaks the connection on which the import waits: its transaction is lost. */
  void breakConnection() throws SQLException {
    number(END_WHO_WAITS);
    await("the connection is broken").atMost(SOON).until(() -> number(WHO_WAITS) == 0);
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }

  private long number(String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
