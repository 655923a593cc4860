package io.onceflow.quarkus.runtime;

import static io.onceflow.sql.Column.texts;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
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
        statement.execute("SELECT pg_advisory_xact_lock(%s)".formatted(LOCK));
        if (schema != null) {
          statement.execute("SET LOCAL search_path TO " + quoted(schema));
        }
      }
      if (exists(connection, application) && !exists(connection, product)) {
        importIfRecorded(connection, texts(migrations, MigrationHistoryImport::script));
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
  private void importIfRecorded(Connection connection, Column scripts) throws SQLException {
    String recorded =
        """
        FROM   %s
        WHERE  success
        AND    regexp_replace(script, '^.*/', '') = ANY (?)
        """
            .formatted(quoted(application));
    if (Sql.query(connection, "SELECT 1 " + recorded, row -> true, scripts).isEmpty()) {
      return;
    }
    try (Statement create = connection.createStatement()) {
      create.execute(
          "CREATE TABLE %s (LIKE %s INCLUDING ALL)"
              .formatted(quoted(product), quoted(application)));
    }
    Sql.update(
        connection, "INSERT INTO %s SELECT * %s".formatted(quoted(product), recorded), scripts);
  }

  private static boolean exists(Connection connection, String table) throws SQLException {
    String query = "SELECT 1 WHERE to_regclass(?) IS NOT NULL";
    return Sql.find(connection, query, row -> true, quoted(table)).isPresent();
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String script(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
