package io.onceflow.idempotency.testing;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The server ends an application's connections and refuses new ones. Those of the tests' own pools
 * stay, but no new ones are to be had until it is closed.
 *
 * <p>Its own connection outlasts that, since limits bind only those who come.
 */
public final class DatabaseOutage implements AutoCloseable {

  private static final String OTHERS =
      """
      SELECT count(pg_terminate_backend(pid))
      FROM   pg_stat_activity
      WHERE  datname = current_database() AND application_name = ?
      """;

  private final Connection connection;

  /**
   * Begins it, and returns once the last of them has gone.
   *
   * @param applicationName as the application's connections call themselves
   */
  public DatabaseOutage(TestDatabase database, String applicationName) {
    try {
      connection = database.connect();
      limitConnections(0);
      await("connections end").until(() -> endConnectionsOf(applicationName) == 0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends it. */
  @Override
  public void close() {
    try (connection) {
      limitConnections(-1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long endConnectionsOf(String applicationName) throws SQLException {
    try (PreparedStatement others = connection.prepareStatement(OTHERS)) {
      others.setString(1, applicationName);
      try (ResultSet row = others.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private void limitConnections(int limit) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "ALTER DATABASE %s CONNECTION LIMIT %d".formatted(connection.getCatalog(), limit));
    }
  }
}
