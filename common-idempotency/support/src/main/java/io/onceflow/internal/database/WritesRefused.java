package io.onceflow.internal.database;

import io.agroal.api.AgroalPoolInterceptor;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Makes connections read-only while commits are not confirmed by a synchronous standby. Such a
 * commit keeps its server process even when its client is gone, so each further one would take a
 * connection of the server until {@code max_connections} is reached. Reads continue.
 */
@ApplicationScoped
public class WritesRefused implements AgroalPoolInterceptor {

  private static final Logger LOG = Logger.getLogger(WritesRefused.class);

  private final DatabaseWatch watch;
  private final Set<Connection> refusing = ConcurrentHashMap.newKeySet();

  WritesRefused(DatabaseWatch watch) {
    this.watch = watch;
  }

  @Override
  public void onConnectionAcquire(Connection connection) {
    if (watch.isCommitUnconfirmed()) {
      try {
        Connection physical = connection.unwrap(Connection.class);
        run(physical, "SET default_transaction_read_only = on");
        refusing.add(physical);
      } catch (SQLException e) {
        LOG.debug("a connection could not be made read-only; the pool will find it broken", e);
      }
    }
  }

  @Override
  public void onConnectionReturn(Connection connection) {
    if (refusing.isEmpty()) {
      return;
    }
    try {
      Connection physical = connection.unwrap(Connection.class);
      if (refusing.remove(physical) && !physical.isClosed()) {
        run(physical, "RESET default_transaction_read_only");
      }
    } catch (SQLException e) {
      LOG.debug("a connection stays read-only; the pool closes it when it is used", e);
    }
  }

  @Override
  public void onConnectionDestroy(Connection connection) {
    try {
      refusing.remove(connection.unwrap(Connection.class));
    } catch (SQLException e) {
      LOG.debug("a closed connection could not be unwrapped", e);
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
