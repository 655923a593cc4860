package io.onceflow.saga.internal.store;

import io.onceflow.launcher.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/** A real database with the saga's tables and one of orders, empty. */
public final class SagaDatabase {

  private static final TestServers SERVERS = TestServers.shared();
  private static final String URL = SERVERS.jdbcUrl("orders");
  private static final String USER = SERVERS.user("orders");

  private static final String LOCK_TIMEOUT = "-c lock_timeout=20s";

  private SagaDatabase() {}

  /**
   * Makes the tables as a service would, by its own sequence and the library's beneath it.
   *
   * @param more locations of migrations
   */
  public static void makeAnew(String... more) {
    Flyway flyway =
        Flyway.configure()
            .dataSource(URL, USER, SERVERS.password())
            .locations(
                Stream.concat(
                        Stream.of("classpath:db/onceflow/saga", "classpath:db/test"),
                        Stream.of(more))
                    .toArray(String[]::new))
            .cleanDisabled(false)
            .load();
    flyway.clean();
    flyway.migrate();
  }

  /** Connections as those of {@link #connect}, for helpers that need a source of them. */
  public static DataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(URL);
    source.setUser(USER);
    source.setPassword(SERVERS.password());
    source.setOptions(LOCK_TIMEOUT);
    return source;
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
    return tx;
  }

  public static <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection tx = begin()) {
      T result = work.in(tx);
      tx.commit();
      return result;
    }
  }

  public static int execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  static long count(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  static String text(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** What is done in a transaction. */
  public interface Work<T> {
    T in(Connection tx) throws SQLException;
  }
}
