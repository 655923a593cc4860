package io.onceflow.saga.internal.store;

import io.onceflow.launcher.testing.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A real database with the saga's tables and one of orders, empty. */
public final class SagaDatabase {

  private static final TestServers SERVERS = TestServers.shared();
  private static final String URL = SERVERS.jdbcUrl("orders");
  private static final String USER = SERVERS.user("orders");

  private static final String LOCK_TIMEOUT = "-c lock_timeout=20s";

  /** Changes with each table, index, column and trigger that a test makes, changes or drops. */
  private static final String SCHEMA =
      """
      SELECT md5(string_agg(
               concat_ws(' ', c.oid, c.relname, c.relnatts, c.relchecks, c.relhastriggers, c.reloptions),
               ',' ORDER BY c.oid))
      FROM   pg_class AS c
      WHERE  c.relnamespace = current_schema()::regnamespace
      """;

  /** What empties all tables, those that refuse it for the sake of the audit as well. */
  private static final String EMPTY =
      """
      SELECT concat(
               string_agg(format('ALTER TABLE %I DISABLE TRIGGER USER; ', tablename), ''),
               'TRUNCATE ', string_agg(quote_ident(tablename), ', '), ' RESTART IDENTITY; ',
               string_agg(format('ALTER TABLE %I ENABLE TRIGGER USER; ', tablename), ''))
      FROM   pg_tables
      WHERE  schemaname = current_schema()
      AND    tablename <> 'flyway_schema_history'
      """;

  private static final Queue<Connection> IDLE = new ConcurrentLinkedQueue<>();

  /** Where the tables were made from, and what they were then. */
  private static @Nullable String made;

  private SagaDatabase() {}

  /**
   * Makes the tables as a service would, by its own sequence and the library's beneath it. Tables
   * that are still as they were made are emptied instead, which takes a tenth of the time.
   *
   * @param more locations of migrations
   */
  public static synchronized void makeAnew(String... more) {
    List<String> locations =
        Stream.concat(Stream.of("classpath:db/onceflow/saga", "classpath:db/test"), Stream.of(more))
            .toList();
    try {
      if (!(locations + text(SCHEMA)).equals(made)) {
        migrate(locations);
        made = locations + text(SCHEMA);
      } else {
        execute(text(EMPTY));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The saga's tables could not be emptied", e);
    }
  }

  /** As {@link #makeAnew}, but with tables that PostgreSQL has no statistics of yet. */
  public static synchronized void makeFromNothing() {
    made = null;
    makeAnew();
  }

  private static void migrate(List<String> locations) {
    Flyway flyway =
        Flyway.configure()
            .dataSource(URL, USER, SERVERS.password())
            .locations(locations.toArray(String[]::new))
            .cleanDisabled(false)
            .load();
    flyway.clean();
    flyway.migrate();
  }

  /** Connections that are kept when they are closed, for helpers that need a source of them. */
  public static DataSource source() {
    return new PGSimpleDataSource() {

      @Override
      public Connection getConnection() throws SQLException {
        return lent(idle(), SagaDatabase::keep);
      }
    };
  }

  /** A test that waits for a lock in vain fails after a while instead of hanging. */
  static Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", SERVERS.password());
    properties.setProperty("options", LOCK_TIMEOUT);
    return DriverManager.getConnection(URL, properties);
  }

  /** A connection on which nothing is committed unless the test says so. */
  static Connection begin() throws SQLException {
    Connection tx = connect();
    tx.setAutoCommit(false);
    return lent(tx, Connection::close);
  }

  /** What becomes of a connection that is closed. */
  private interface Closing {
    void of(Connection connection) throws SQLException;
  }

  /**
   * Once it is closed its locks are free: without the rollback the server releases them a little
   * later.
   */
  private static Connection lent(Connection connection, Closing closing) {
    AtomicBoolean isClosed = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            SagaDatabase.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              try {
                if (!method.getName().equals("close")) {
                  return method.invoke(connection, arguments);
                }
                if (isClosed.getAndSet(true)) {
                  return null;
                }
                if (!connection.isClosed() && !connection.getAutoCommit()) {
                  connection.rollback();
                }
                closing.of(connection);
                return null;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  public static <T> T inTransaction(Work<T> work) throws SQLException {
    Connection tx = idle();
    tx.setAutoCommit(false);
    try {
      T result = work.in(tx);
      tx.commit();
      return result;
    } catch (SQLException | RuntimeException | Error e) {
      tx.close();
      throw e;
    } finally {
      keep(tx);
    }
  }

  public static int execute(String sql) throws SQLException {
    return withStatement(statement -> statement.executeUpdate(sql));
  }

  static long count(String sql) throws SQLException {
    return withStatement(
        statement -> {
          try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  static String text(String sql) throws SQLException {
    return withStatement(
        statement -> {
          try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
          }
        });
  }

  private static <T> T withStatement(StatementWork<T> work) throws SQLException {
    Connection connection = idle();
    try (Statement statement = connection.createStatement()) {
      return work.on(statement);
    } finally {
      keep(connection);
    }
  }

  /**
   * One that no other thread uses. Most tests need one after the other, and to make one takes 20
   * ms.
   */
  private static Connection idle() throws SQLException {
    Connection connection = IDLE.poll();
    return connection != null && connection.isValid(5) ? connection : connect();
  }

  private static void keep(Connection connection) throws SQLException {
    if (!connection.isClosed()) {
      connection.setAutoCommit(true);
      IDLE.add(connection);
    }
  }

  /** PostgreSQL publishes what a connection has done when it closes, or some seconds later. */
  public static void closeIdle() throws SQLException {
    for (Connection connection = IDLE.poll(); connection != null; connection = IDLE.poll()) {
      connection.close();
    }
  }

  private interface StatementWork<T> {
    T on(Statement statement) throws SQLException;
  }

  /** What is done in a transaction. */
  public interface Work<T> {
    T in(Connection tx) throws SQLException;
  }
}
