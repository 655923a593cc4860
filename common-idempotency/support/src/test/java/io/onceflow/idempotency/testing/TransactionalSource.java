package io.onceflow.idempotency.testing;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source that behaves as a pool does under JTA: while a transaction is open every caller
 * gets its connection, and closing it closes nothing; otherwise each statement commits by itself.
 */
public final class TransactionalSource implements DataSource {

  private final DataSource pool;
  private @Nullable Connection open;

  /** One on top of a pool. */
  public TransactionalSource(DataSource pool) {
    this.pool = pool;
  }

  /** Opens a transaction. */
  public void begin() throws SQLException {
    if (open != null) {
      throw new IllegalStateException("a transaction is open already");
    }
    open = pool.getConnection();
    open.setAutoCommit(false);
  }

  /** Commits it. */
  public void commit() throws SQLException {
    if (open == null) {
      throw new IllegalStateException("no transaction is open");
    }
    open.commit();
    end();
  }

  /** Undoes it if there is one. */
  public void rollBack() throws SQLException {
    if (open != null) {
      open.rollback();
      end();
    }
  }

  private void end() throws SQLException {
    Connection ended = open;
    open = null;
    if (ended != null) {
      ended.setAutoCommit(true);
      ended.close();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return open == null ? pool.getConnection() : keptOpen(open);
  }

  private static Connection keptOpen(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            TransactionalSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}
