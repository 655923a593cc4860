package io.onceflow.test.races;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process's way to its database, which ends when the process dies: whatever had not been
 * committed by then is undone, as the server undoes it when a connection breaks, and nothing is
 * written any more.
 */
final class MortalSource implements DataSource {

  /** Class 57: the consumer takes it for a database that is away, and would wait for ever. */
  private static final String GONE = "57P01";

  private final DataSource real;
  private final Runnable onDeath;
  private final AtomicInteger commits = new AtomicInteger();
  private volatile @Nullable Doom doom;
  private volatile boolean dead;

  /** Where in a commit a process dies. */
  enum Moment {
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  private record Doom(int commit, Moment moment) {}

  /**
   * @param onDeath what else ends with the process; called once
   */
  MortalSource(DataSource real, Runnable onDeath) {
    this.real = real;
    this.onDeath = onDeath;
  }

  /** The process dies at its commit of this number, counted from one. */
  void dieAtCommit(int number, Moment moment) {
    doom = new Doom(number, moment);
  }

  /** It dies here and now, and not in the middle of a commit. */
  synchronized void die() {
    if (!dead) {
      dead = true;
      onDeath.run();
    }
  }

  boolean isDead() {
    return dead;
  }

  /** How many transactions have been committed, or tried to. */
  int commits() {
    return commits.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    checkAlive();
    Connection connection = real.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            MortalSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> call(connection, method, arguments));
  }

  private @Nullable Object call(
      Connection connection, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "commit" -> {
        commit(connection);
        return null;
      }
      // Done by the server for a process that is gone.
      case "rollback", "close", "isClosed" -> {}
      default -> checkAlive();
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private synchronized void commit(Connection connection) throws SQLException {
    checkAlive();
    int number = commits.get() + 1;
    dieIfDoomed(number, Moment.BEFORE_COMMIT);
    checkAlive();
    connection.commit();
    commits.incrementAndGet();
    dieIfDoomed(number, Moment.AFTER_COMMIT);
    checkAlive();
  }

  private void dieIfDoomed(int number, Moment moment) {
    if (new Doom(number, moment).equals(doom)) {
      die();
    }
  }

  private void checkAlive() throws SQLException {
    if (dead) {
      throw new SQLException("this process has died", GONE);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return real.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    real.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    real.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return real.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return real.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return real.isWrapperFor(type);
  }
}
