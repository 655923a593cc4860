package io.onceflow.idempotency.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database that can be taken away, or lost in the middle of a commit. */
public final class FlakyDatabase {

  private final DataSource real;
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile boolean away;
  private volatile boolean breaksNextCommit;

  /** As good as the real one until told otherwise. */
  public FlakyDatabase(DataSource real) {
    this.real = real;
  }

  /** From now on no caller gets a connection. */
  public void goAway() {
    away = true;
  }

  /** Connections are to be had again. */
  public void comeBack() {
    away = false;
  }

  /** The server ends the connection before it has heard of the next commit. */
  public void breakNextCommit() {
    breaksNextCommit = true;
  }

  /** How often somebody was refused a connection. */
  public int refusals() {
    return refusals.get();
  }

  /** What the code under test gets. */
  public DataSource source() {
    return (DataSource)
        Proxy.newProxyInstance(
            FlakyDatabase.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) ->
                method.getName().equals("getConnection")
                    ? connect()
                    : invoke(real, method, arguments));
  }

  private Connection connect() throws SQLException {
    if (away) {
      refusals.incrementAndGet();
      throw new SQLException("connection refused, as the test wants it", "08001");
    }
    Connection connection = real.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            FlakyDatabase.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit") && breaksNextCommit) {
                breaksNextCommit = false;
                kill(connection);
              }
              return invoke(connection, method, arguments);
            });
  }

  private static void kill(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
    } catch (SQLException expected) {
      // This very connection; the commit that follows finds it gone.
    }
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
