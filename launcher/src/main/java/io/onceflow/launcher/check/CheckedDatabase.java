package io.onceflow.launcher.check;

import io.onceflow.launcher.stack.Backends.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A service's database, read in one read-only transaction: all laws see the same moment. */
final class CheckedDatabase implements AutoCloseable {

  private final String name;
  private final Connection connection;
  private final CheckBounds bounds;

  /** What is made of a row. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  CheckedDatabase(String name, Database database, CheckBounds bounds) throws SQLException {
    this.name = name;
    this.bounds = bounds;
    this.connection =
        DriverManager.getConnection(database.url(), database.user(), database.password());
    try {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      limit();
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  String name() {
    return name;
  }

  CheckBounds bounds() {
    return bounds;
  }

  /** What is committed since is seen from here on. */
  void refresh() throws SQLException {
    connection.rollback();
    limit();
  }

  private void limit() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL statement_timeout = " + bounds.timeout().toMillis());
    }
  }

  boolean has(String table) throws SQLException {
    return rows("SELECT to_regclass(?) IS NOT NULL", row -> row.getBoolean(1), table).getFirst();
  }

  /**
   * All rows of a query, in which {@code :newest}, {@code :most}, {@code :grace} and {@code
   * :within} stand for the bounds; the latter two are intervals.
   *
   * @param parameters texts, or lists of texts
   */
  <T> List<T> rows(String query, RowReader<T> reader, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(bounded(query))) {
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i] instanceof List<?> texts) {
          statement.setArray(i + 1, connection.createArrayOf("text", texts.toArray()));
        } else {
          statement.setObject(i + 1, parameters[i]);
        }
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
          all.add(reader.read(rows));
        }
        return all;
      }
    }
  }

  private String bounded(String query) {
    return query
        .replace(":newest", Integer.toString(bounds.newest()))
        .replace(":most", Integer.toString(bounds.most()))
        .replace(":grace", "interval '" + bounds.grace().toSeconds() + " s'")
        .replace(":within", "interval '" + bounds.within().toSeconds() + " s'");
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
