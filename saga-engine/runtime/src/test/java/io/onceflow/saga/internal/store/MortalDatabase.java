package io.onceflow.saga.internal.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** A database that a process loses at a given statement or commit, as when it is killed there. */
final class MortalDatabase {

  private static final Set<String> MOMENTS = Set.of("prepareStatement", "commit");

  private final DataSource real;
  private int left;
  private Death death = Death.NONE;

  /** How the process died. */
  enum Death {
    NONE,
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  MortalDatabase(DataSource real) {
    this.real = real;
  }

  /** A transaction that a process makes. */
  @FunctionalInterface
  interface Work {
    void run() throws SQLException;
  }

  /**
   * Whether the process is killed at this moment of its work. What was not committed then is done
   * again by the next one.
   */
  boolean kills(int moment, Work work) throws SQLException {
    dieAt(moment);
    try {
      work.run();
    } catch (SQLException dead) {
      if (death == Death.NONE) {
        throw dead;
      }
    }
    Death how = revive();
    if (how == Death.BEFORE_COMMIT) {
      work.run();
    }
    return how != Death.NONE;
  }

  /** The process is killed before so many statements have been made; a commit counts twice. */
  void dieAt(int moment) {
    left = moment;
    death = Death.NONE;
  }

  /** Starts another process; says how the one before died. */
  Death revive() {
    left = 0;
    return death;
  }

  DataSource source() {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = invoke(real, method, arguments);
          return result instanceof Connection connection ? mortal(connection) : result;
        });
  }

  private Connection mortal(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          boolean isMoment = MOMENTS.contains(method.getName());
          if (isMoment && isNow()) {
            throw dead(connection, Death.BEFORE_COMMIT);
          }
          Object result = invoke(connection, method, arguments);
          if (method.getName().equals("commit") && isNow()) {
            throw dead(connection, Death.AFTER_COMMIT);
          }
          return result;
        });
  }

  private boolean isNow() {
    return left > 0 && --left == 0;
  }

  private SQLException dead(Connection connection, Death how) throws SQLException {
    death = how;
    connection.abort(Runnable::run); // closes the socket; the server rolls back
    return new SQLException("the process was killed", "08006");
  }

  @FunctionalInterface
  private interface Call {
    Object on(Method method, Object[] arguments) throws Throwable;
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            MortalDatabase.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.on(method, arguments)));
  }
}
