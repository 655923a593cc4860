package io.onceflow.systemtests;

import io.onceflow.launcher.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A service's database, looked into behind the service's back. */
record Database(TestServers servers, String name) {

  /** The one number that a query comes to. */
  long count(String query, Object... parameters) {
    return Long.parseLong(texts(query, parameters).getFirst());
  }

  /** The first column of all rows. */
  List<String> texts(String query, Object... parameters) {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
        return texts;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("In database %s: %s".formatted(name, query), e);
    }
  }

  /** A transaction that stays open and so blocks others that need its locks. */
  OpenTransaction begin() {
    return OpenTransaction.on(this);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        servers.jdbcUrl(name), servers.user(name), servers.password());
  }
}
