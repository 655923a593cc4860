package io.onceflow.idempotency.testing;

import io.onceflow.quickstart.testing.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One of the test server's databases with the tables of this module and of its tests. Tests share
 * it and use keys of their own, so none clears it.
 */
public final class TestDatabase {

  private final PGSimpleDataSource source = new PGSimpleDataSource();

  private TestDatabase(String database) {
    TestServers servers = TestServers.shared();
    source.setUrl(servers.jdbcUrl(database));
    source.setUser(servers.user(database));
    source.setPassword(servers.password());
  }

  /**
   * Makes the tables if they are not there yet.
   *
   * @param database {@code orders}, {@code payments} or {@code shipping}; {@code orders} is the one
   *     of the tests under Quarkus
   */
  public static TestDatabase migrated(String database) {
    TestDatabase made = new TestDatabase(database);
    Flyway.configure()
        .dataSource(made.source)
        .locations(
            "classpath:db/onceflow/idempotency",
            "classpath:db/onceflow/inbox",
            "classpath:db/onceflow/outbox",
            "classpath:db/test")
        .load()
        .migrate();
    return made;
  }

  /** Connections without a pool, each with its own backend. */
  public DataSource source() {
    return source;
  }

  /** A connection that commits each statement. */
  public Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** A connection on which nothing is committed unless the test says so. */
  public Connection begin() throws SQLException {
    Connection connection = source.getConnection();
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
