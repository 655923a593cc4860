package io.onceflow.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A longer {@code statement_timeout} for one connection, until it is closed: for statements that
 * maintain whole tables and that no request waits for.
 */
public final class LongStatements implements AutoCloseable {

  /** The server's timeout comes first and has a message; the socket's is for a silent server. */
  private static final Duration MARGIN = Duration.ofSeconds(3);

  private final Connection connection;
  private final SocketDeadline socket;

  private LongStatements(Connection connection, SocketDeadline socket) {
    this.connection = connection;
    this.socket = socket;
  }

  /** Calls with a connection of the database that has this timeout. */
  public static <T> T call(DataSource database, Duration longest, DatabaseTransaction.Work<T> work)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      LongStatements longer = of(connection, longest);
      try (longer) {
        return work.on(connection);
      }
    }
  }

  /**
   * Sets the timeout.
   *
   * @param longest zero for no timeout, neither of a statement nor of a transaction that is idle
   */
  public static LongStatements of(Connection connection, Duration longest) throws SQLException {
    SocketDeadline socket =
        SocketDeadline.of(connection, longest.isZero() ? longest : longest.plus(MARGIN));
    run(
        connection,
        longest.isZero()
            ? "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
            : "SET statement_timeout = " + longest.toMillis());
    return new LongStatements(connection, socket);
  }

  @Override
  public void close() throws SQLException {
    if (!connection.isClosed()) {
      try (socket) {
        run(connection, "RESET statement_timeout; RESET idle_in_transaction_session_timeout");
      }
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
