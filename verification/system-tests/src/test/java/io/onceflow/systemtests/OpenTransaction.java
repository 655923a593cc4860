package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A transaction of the test's own in a service's database. What it locks it keeps until it is
 * closed, so that a test can stop a service at a certain point of its work instead of hoping to
 * meet it there.
 */
final class OpenTransaction implements AutoCloseable {

  /** A service may have to start first. */
  private static final Duration SOON = Duration.ofMinutes(3);

  /** In a transaction pg_stat_activity stays as it was first seen; pg_locks does not. */
  private static final String WHO_WAITS =
      """
      SELECT count(*)
      FROM   pg_locks
      WHERE  NOT granted
      AND    pg_backend_pid() = ANY (pg_blocking_pids(pid))
      """;

  private final Connection connection;

  private OpenTransaction(Connection connection) {
    this.connection = connection;
  }

  static OpenTransaction on(Database database) {
    try {
      Connection connection = database.connect();
      connection.setAutoCommit(false);
      return new OpenTransaction(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("In database " + database.name(), e);
    }
  }

  /** Locks a whole table against writing; what is being written ends first. */
  void lockTable(String table) {
    try (Statement lock = connection.createStatement()) {
      lock.execute("LOCK TABLE " + table + " IN EXCLUSIVE MODE");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Locks the one row that a {@code SELECT … FOR UPDATE} finds. */
  void lockRow(String query, Object... parameters) {
    try (PreparedStatement lock = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        lock.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = lock.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("There is no such row any more: " + query);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until another transaction waits for its locks. */
  void awaitAnotherHeldUp() {
    await("another transaction waits for the lock").atMost(SOON).until(() -> waiting() > 0);
  }

  private long waiting() throws SQLException {
    try (Statement query = connection.createStatement();
        ResultSet row = query.executeQuery(WHO_WAITS)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    try {
      connection.rollback();
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
