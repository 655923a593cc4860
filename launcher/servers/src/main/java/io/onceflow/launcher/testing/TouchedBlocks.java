package io.onceflow.launcher.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Counts the blocks of a table and of its indexes that statements read, from memory or not. Unlike
 * their time, the number does not depend on what else the machine does.
 */
public final class TouchedBlocks {

  private static final String FETCHED =
      """
      SELECT sum(pg_stat_get_xact_blocks_fetched(relation))
      FROM   (SELECT ?::regclass::oid
              UNION ALL
              SELECT indexrelid FROM pg_index WHERE indrelid = ?::regclass) AS its (relation)
      """;

  private final DataSource database;
  private final String table;
  private long counted;

  public TouchedBlocks(DataSource database, String table) {
    this.database = database;
    this.table = table;
  }

  /** Work on a database. */
  @FunctionalInterface
  public interface Work {

    /** Does it. */
    void on(DataSource database) throws Exception;
  }

  /**
   * How many blocks the work reads. Its connections are without auto-commit, and what it does not
   * commit is rolled back.
   */
  public long during(Work work) throws Exception {
    counted = 0;
    work.on(
        proxy(
            DataSource.class,
            (method, arguments) ->
                method.getName().equals("getConnection")
                    ? counting(database.getConnection())
                    : invoke(database, method, arguments)));
    return counted;
  }

  private Connection counting(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    long[] last = {fetched(connection)};
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("commit") || method.getName().equals("close")) {
            long now = fetched(connection);
            counted += now - last[0];
            last[0] = now;
          }
          Object result = invoke(connection, method, arguments);
          if (method.getName().equals("commit")) {
            last[0] = fetched(connection); // PostgreSQL may have started to count again
          }
          return result;
        });
  }

  private long fetched(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FETCHED)) {
      statement.setString(1, table);
      statement.setString(2, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            TouchedBlocks.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> handler.call(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
