package io.onceflow.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A read timeout for one connection, in place of the pool's. It costs no round trip. When it has
 * passed, the driver closes the connection and throws.
 *
 * <pre>{@code
 * SocketDeadline deadline = SocketDeadline.of(connection, Duration.ofSeconds(2));
 * try (deadline) { … }
 * }</pre>
 */
public final class SocketDeadline implements AutoCloseable {

  private final Connection connection;
  private final int before;

  private SocketDeadline(Connection connection, int before) {
    this.connection = connection;
    this.before = before;
  }

  /** Sets the timeout; zero is none. */
  public static SocketDeadline of(Connection connection, Duration deadline) throws SQLException {
    int before = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(deadline.toMillis()));
    return new SocketDeadline(connection, before);
  }

  /** Restores the previous timeout. */
  @Override
  public void close() throws SQLException {
    if (!connection.isClosed()) {
      connection.setNetworkTimeout(Runnable::run, before);
    }
  }
}
