package io.onceflow.idempotency.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database that counts how many of its connections are in use. */
public final class CountedConnections {

  private final DataSource real;
  private final AtomicInteger inUse = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  public CountedConnections(DataSource real) {
    this.real = real;
  }

  /** How many connections were in use at once, at most. */
  public int mostAtOnce() {
    return most.get();
  }

  /** What the code under test gets. */
  public DataSource source() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = invoke(real, method, arguments);
          return result instanceof Connection connection ? counted(connection) : result;
        });
  }

  private Connection counted(Connection connection) {
    most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            inUse.decrementAndGet();
          }
          return invoke(connection, method, arguments);
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            CountedConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
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
