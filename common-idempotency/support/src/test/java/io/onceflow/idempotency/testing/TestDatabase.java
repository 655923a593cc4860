package io.onceflow.idempotency.testing;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.onceflow.launcher.testing.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * One of the test server's databases with the tables of this module and of its tests. Tests share
 * it and use keys of their own, so none clears it.
 */
public final class TestDatabase {

  private static final Map<String, TestDatabase> MIGRATED = new ConcurrentHashMap<>();

  private static final String[] PRODUCT = {
    "onceflow/idempotency", "onceflow/inbox", "onceflow/outbox"
  };

  private static final String[] ALL = {
    "onceflow/idempotency", "onceflow/inbox", "onceflow/outbox", "test"
  };

  private final AgroalDataSource pool;

  private TestDatabase(String database, @Nullable String schema, String... locations) {
    TestServers servers = TestServers.shared();
    String url = servers.jdbcUrl(database);
    String parameter = schema == null ? "" : "currentSchema=" + schema;
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
                                          .jdbcUrl(
                                              url + (url.contains("?") ? "&" : "?") + parameter)
                                          .principal(new NamePrincipal(servers.user(database)))
                                          .credential(new SimplePassword(servers.password())))));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    migrate(schema, locations);
  }

  /** Runs the migrations of further places. */
  public void migrate(@Nullable String schema, String... locations) {
    FluentConfiguration flyway =
        Flyway.configure()
            .dataSource(pool)
            .outOfOrder(true)
            .ignoreMigrationPatterns("*:missing")
            .locations(Stream.of(locations).map("classpath:db/"::concat).toArray(String[]::new));
    if (schema != null) {
      flyway.schemas(schema);
    }
    flyway.load().migrate();
  }

  /**
   * Makes the tables if they are not there yet.
   *
   * @param database {@code orders}, {@code payments} or {@code shipping}; {@code orders} is the one
   *     of the tests under Quarkus
   */
  public static TestDatabase migrated(String database) {
    return MIGRATED.computeIfAbsent(database, name -> new TestDatabase(name, null, ALL));
  }

  /**
   * Makes tables in a separate schema for the caller, without other tests' rows, if they are not
   * there yet.
   *
   * @param locations of further migrations, below {@code db/}
   */
  public static TestDatabase inSchema(String schema, String... locations) {
    return MIGRATED.computeIfAbsent(
        "payments/" + schema,
        name ->
            new TestDatabase(
                "payments",
                schema,
                Stream.concat(Stream.of(ALL), Stream.of(locations)).toArray(String[]::new)));
  }

  /**
   * Makes the product's tables in a database that no application of this JVM's tests uses: such a
   * one would take over steps, publish messages and try parked ones again that belong to a test.
   *
   * @param locations of further migrations, below {@code db/}
   */
  public static TestDatabase apart(String database, String... locations) {
    return MIGRATED.computeIfAbsent(
        "apart/" + database,
        name ->
            new TestDatabase(
                database,
                null,
                Stream.concat(Stream.of(PRODUCT), Stream.of(locations)).toArray(String[]::new)));
  }

  /** As {@link #apart}, in a separate schema that no other test uses. */
  public static TestDatabase apartInSchema(String schema, String... locations) {
    return MIGRATED.computeIfAbsent(
        "apart/payments/" + schema,
        name ->
            new TestDatabase(
                "payments",
                schema,
                Stream.concat(Stream.of(PRODUCT), Stream.of(locations)).toArray(String[]::new)));
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

  /**
   * A transaction that keeps its snapshot until it is closed, as that of a backup does: what is
   * deleted or updated meanwhile stays in the table and in its indexes.
   */
  public Connection holdSnapshot(String table) throws SQLException {
    Connection snapshot = begin();
    snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    snapshot.prepareStatement("SELECT FROM " + table).execute();
    return snapshot;
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
