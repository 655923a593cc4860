package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Backends;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The services' databases, looked into behind their backs. */
record Tables(Backends backends) {

  /** Each service's database. */
  static final Map<String, String> DATABASES =
      Map.of(
          "order-service", "orders", "payment-service", "payments", "shipping-service", "shipping");

  /** What is made of a row. */
  interface Reading<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** All rows of a query; its parameters are texts. */
  <T> List<T> rows(String database, String query, Reading<T> reading, String... parameters) {
    try (Connection connection = backends.connect(database);
        PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
          all.add(reading.read(rows));
        }
        return all;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("In database %s: %s".formatted(database, query), e);
    }
  }

  /** Changes rows; the parameters are texts. */
  void update(String database, String statement, String... parameters) {
    try (Connection connection = backends.connect(database);
        PreparedStatement update = connection.prepareStatement(statement)) {
      for (int i = 0; i < parameters.length; i++) {
        update.setString(i + 1, parameters[i]);
      }
      update.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("In database %s: %s".formatted(database, statement), e);
    }
  }

  long count(String database, String query) {
    return rows(database, query, row -> row.getLong(1)).getFirst();
  }
}
