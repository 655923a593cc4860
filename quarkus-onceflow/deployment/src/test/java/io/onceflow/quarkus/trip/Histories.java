package io.onceflow.quarkus.trip;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What Flyway has recorded. */
final class Histories {

  private Histories() {}

  /** The versions of migrations that were run, in their order. */
  static List<String> of(DataSource database, String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement select = connection.createStatement();
        ResultSet rows =
            select.executeQuery(
                "SELECT version FROM " + table + " WHERE type = 'SQL' ORDER BY installed_rank")) {
      List<String> versions = new ArrayList<>();
      while (rows.next()) {
        versions.add(rows.getString(1));
      }
      return versions;
    }
  }
}
