package io.onceflow.quarkus.runtime;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes over what an earlier version has recorded of the product's migrations in the application's
 * own history, so that they are not run again.
 *
 * @param application the table of the application's history
 * @param product the table of the product's history
 * @param schema where both are; null for the connection's own
 */
record MigrationHistoryImport(String application, String product, @Nullable String schema) {

  /** Any number will do that no other component uses: replicas that start together wait here. */
  private static final long LOCK = 0x6f6e6365666c6f77L;

  void adopt(DataSource database, List<String> migrations) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(%d)".formatted(LOCK));
        if (schema != null) {
          statement.execute("SET LOCAL search_path TO " + quoted(schema));
        }
      }
      if (exists(connection, application) && !exists(connection, product)) {
        importIfRecorded(
            connection, migrations.stream().map(MigrationHistoryImport::script).toArray());
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the history of the product's migrations could not be taken over from " + application, e);
    }
  }

  /**
   * Creates the product's history only where there is something to put into it. In a new database
   * Flyway creates it, in another replica perhaps at this moment, and without the lock.
   */
  private void importIfRecorded(Connection connection, Object[] scripts) throws SQLException {
    String recorded =
        """
        FROM   %s
        WHERE  success
        AND    regexp_replace(script, '^.*/', '') = ANY (?)
        """
            .formatted(quoted(application));
    if (countOf(connection, "SELECT count(*) " + recorded, scripts) == 0) {
      return;
    }
    try (Statement create = connection.createStatement()) {
      create.execute(
          "CREATE TABLE %s (LIKE %s INCLUDING ALL)"
              .formatted(quoted(product), quoted(application)));
    }
    String copy = "INSERT INTO %s SELECT * %s".formatted(quoted(product), recorded);
    try (PreparedStatement insert = connection.prepareStatement(copy)) {
      insert.setArray(1, connection.createArrayOf("text", scripts));
      insert.executeUpdate();
    }
  }

  private static long countOf(Connection connection, String query, Object[] scripts)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(query)) {
      select.setArray(1, connection.createArrayOf("text", scripts));
      try (var row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      select.setString(1, quoted(table));
      try (var row = select.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String script(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
