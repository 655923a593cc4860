package io.onceflow.benchmarks.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;

/**
 * A PostgreSQL server and its superuser.
 *
 * @param jdbcUrl the URL of a database by the database's name, without user and password
 * @param superuser the superuser's name
 * @param password the superuser's password
 */
public record DatabaseServer(UnaryOperator<String> jdbcUrl, String superuser, String password) {

  /** Where settings are changed and statistics are read. */
  public static final String MAINTENANCE = "postgres";

  /** A connection to one of its databases. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl.apply(database), superuser, password);
  }

  /** A connection that prepares statements on the server at their first execution. */
  public Connection connectPreparing(String database) throws SQLException {
    String url = jdbcUrl.apply(database);
    char next = url.indexOf('?') < 0 ? '?' : '&';
    String preparing = url + next + "prepareThreshold=1&ApplicationName=onceflow-bench";
    return DriverManager.getConnection(preparing, superuser, password);
  }

  /** Executes statements, each in a separate transaction. */
  public void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The only column of the first row. */
  public String ask(String database, String query) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  /**
   * Makes what an extension provides available in {@link #MAINTENANCE}.
   *
   * @return false if the server came without the extension
   */
  public boolean createExtension(String name) throws SQLException {
    String look = "SELECT count(*) FROM pg_available_extensions WHERE name = '%s'";
    boolean isAvailable = !ask(MAINTENANCE, look.formatted(name)).equals("0");
    if (isAvailable) {
      execute(MAINTENANCE, "CREATE EXTENSION IF NOT EXISTS " + name);
    }
    return isAvailable;
  }
}
