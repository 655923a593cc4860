package io.onceflow.idempotency.testing;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.onceflow.quickstart.testing.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;

/**
 * One of the test server's databases with the tables of this module and of its tests. Tests share
 * it and use keys of their own, so none clears it.
 */
public final class TestDatabase {

  private static final Map<String, TestDatabase> MIGRATED = new ConcurrentHashMap<>();

  private final AgroalDataSource pool;

  private TestDatabase(String database) {
    TestServers servers = TestServers.shared();
    try {
      pool =
          AgroalDataSource.from(
              new AgroalDataSourceConfigurationSupplier()
                  .connectionPoolConfiguration(
                      connections ->
                          connections
                              .maxSize(40)
                              .exceptionSorter(new PostgreSQLExceptionSorter())
                              .connectionFactoryConfiguration(
                                  factory ->
                                      factory
                                          .jdbcUrl(servers.jdbcUrl(database))
                                          .principal(new NamePrincipal(servers.user(database)))
                                          .credential(new SimplePassword(servers.password())))));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    Flyway.configure()
        .dataSource(pool)
        .locations(
            "classpath:db/onceflow/idempotency",
            "classpath:db/onceflow/inbox",
            "classpath:db/onceflow/outbox",
            "classpath:db/test")
        .load()
        .migrate();
  }

  /**
   * Makes the tables if they are not there yet.
   *
   * @param database {@code orders}, {@code payments} or {@code shipping}; {@code orders} is the one
   *     of the tests under Quarkus
   */
  public static TestDatabase migrated(String database) {
    return MIGRATED.computeIfAbsent(database, TestDatabase::new);
  }

  /** Its connections, from a pool. */
  public DataSource source() {
    return pool;
  }

  /** A connection that commits each statement. */
  public Connection connect() throws SQLException {
    return pool.getConnection();
  }

  /** A connection on which nothing is committed unless the test says so. */
  public Connection begin() throws SQLException {
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** The number that a query answers with. */
  public long number(String sql, @Nullable Object... arguments) {
    return first(sql, arguments).map(Number.class::cast).orElseThrow().longValue();
  }

  /** The text that a query answers with, or null when it finds no row or a null. */
  public @Nullable String text(String sql, @Nullable Object... arguments) {
    return first(sql, arguments).map(Object::toString).orElse(null);
  }

  /** The first column of every row, as text. */
  public List<String> texts(String sql, @Nullable Object... arguments) {
    try (Connection connection = connect();
        PreparedStatement statement = prepare(connection, sql, arguments);
        ResultSet rows = statement.executeQuery()) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Changes rows; returns how many. */
  public int update(String sql, @Nullable Object... arguments) {
    try (Connection connection = connect();
        PreparedStatement statement = prepare(connection, sql, arguments)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private Optional<Object> first(String sql, @Nullable Object... arguments) {
    try (Connection connection = connect();
        PreparedStatement statement = prepare(connection, sql, arguments);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.ofNullable(row.getObject(1)) : Optional.empty();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static PreparedStatement prepare(
      Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }
}
