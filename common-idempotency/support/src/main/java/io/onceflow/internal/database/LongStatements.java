package io.onceflow.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Lets statements of one connection take longer than {@code statement_timeout} allows by default:
 * those that maintain whole tables, on which no request waits. Ends when it is closed.
 */
public final class LongStatements implements AutoCloseable {

  /** The server gives up first and says why; the socket's deadline is for one that is silent. */
  private static final Duration MARGIN = Duration.ofSeconds(3);

  private final Connection connection;
  private final SocketDeadline socket;

  private LongStatements(Connection connection, SocketDeadline socket) {
    this.connection = connection;
    this.socket = socket;
  }

  /**
   * Bounds statements by this from now on.
   *
   * @param longest zero is without a bound
   */
  public static LongStatements of(Connection connection, Duration longest) throws SQLException {
    SocketDeadline socket =
        SocketDeadline.of(connection, longest.isZero() ? longest : longest.plus(MARGIN));
    run(connection, "SET statement_timeout = " + longest.toMillis());
    return new LongStatements(connection, socket);
  }

  @Override
  public void close() throws SQLException {
    if (!connection.isClosed()) {
      try (socket) {
        run(connection, "RESET statement_timeout");
      }
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
