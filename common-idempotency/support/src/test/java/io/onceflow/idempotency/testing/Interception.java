package io.onceflow.idempotency.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** JDBC objects of which some calls are noticed, before they go to the real ones. */
final class Interception {

  private Interception() {}

  /** Is told of a call before it is made. */
  @FunctionalInterface
  interface Listener {

    /** A method is about to be called. */
    void called(Method method, Object @Nullable [] arguments);
  }

  /** A data source that gives each connection as the operator makes it. */
  static DataSource ofConnections(DataSource real, UnaryOperator<Connection> operator) {
    return (DataSource)
        Proxy.newProxyInstance(
            Interception.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              Object result = invoke(real, method, arguments);
              return result instanceof Connection connection ? operator.apply(connection) : result;
            });
  }

  /** A connection whose calls a listener is told of. */
  static Connection ofCalls(Connection real, Listener listener) {
    return (Connection)
        Proxy.newProxyInstance(
            Interception.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              listener.called(method, arguments);
              return invoke(real, method, arguments);
            });
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
