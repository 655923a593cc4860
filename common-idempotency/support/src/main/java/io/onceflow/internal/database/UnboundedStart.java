package io.onceflow.internal.database;

import io.agroal.api.AgroalPoolInterceptor;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Lifts the timeouts of statements and of idle transactions until the application has started,
 * since migrations of large tables take long. Connections used before then get the usual timeouts
 * back when they are returned.
 */
@ApplicationScoped
public class UnboundedStart implements AgroalPoolInterceptor {

  private static final Logger LOG = Logger.getLogger(UnboundedStart.class);

  private final Map<Connection, LongStatements> unbounded = new ConcurrentHashMap<>();
  private volatile boolean isStarted;

  /** After the checks of what the tables hold, and before all observers that start to work. */
  void started(@Observes @Priority(2) StartupEvent started) {
    isStarted = true;
  }

  @Override
  public void onConnectionAcquire(Connection connection) {
    if (!isStarted) {
      try {
        Connection physical = physical(connection);
        unbounded.put(physical, LongStatements.of(physical, Duration.ZERO));
      } catch (SQLException e) {
        LOG.debug("a connection keeps its bounds while the application starts", e);
      }
    }
  }

  @Override
  public void onConnectionReturn(Connection connection) {
    if (unbounded.isEmpty()) {
      return;
    }
    try {
      LongStatements lifted = unbounded.remove(physical(connection));
      if (lifted != null) {
        lifted.close();
      }
    } catch (SQLException e) {
      LOG.debug("a connection cannot be given its bounds back; the pool will find it broken", e);
    }
  }

  /** The pool gives interceptors a wrapper that is closed after each call. */
  private static Connection physical(Connection wrapper) throws SQLException {
    return wrapper.unwrap(Connection.class);
  }
}
