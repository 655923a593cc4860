package com.example.awards;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** How many points customers have. */
@ApplicationScoped
class Balances {

  private final DataSource database;

  Balances(DataSource database) {
    this.database = database;
  }

  void add(String customer, int points) {
    update(
        """
        INSERT INTO account (customer, points, changes)
        VALUES (?, %d, 1)
        ON CONFLICT (customer) DO UPDATE
        SET    points = account.points + excluded.points, changes = account.changes + 1
        """
            .formatted(points),
        customer);
  }

  /** Points of a customer; 0 for a stranger. */
  int of(String customer) {
    return number("SELECT points FROM account WHERE customer = ?", customer);
  }

  /** How often a customer's points were changed. */
  int changes(String customer) {
    return number("SELECT changes FROM account WHERE customer = ?", customer);
  }

  /** Messages about a customer that wait in the outbox. */
  int waiting(String customer) {
    return number("SELECT count(*) FROM outbox_message WHERE aggregateid = ?", customer);
  }

  void update(String sql, String... parameters) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  int number(String sql, String... parameters) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getInt(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, String... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setString(i + 1, parameters[i]);
    }
    return statement;
  }
}
