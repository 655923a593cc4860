package com.example.points;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The points of customers. */
@ApplicationScoped
class Accounts {

  private final DataSource database;

  Accounts(DataSource database) {
    this.database = database;
  }

  void add(String customer, int points) {
    String sql =
        """
        INSERT INTO account (customer, points, changes)
        VALUES (?, ?, 1)
        ON CONFLICT (customer) DO UPDATE
        SET    points = account.points + excluded.points, changes = account.changes + 1
        """;
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, customer);
      insert.setInt(2, points);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("no points for " + customer, e);
    }
  }

  /** From now on the table takes no points of this customer. */
  void refuse(String customer) {
    execute(
        "ALTER TABLE account ADD CONSTRAINT account_refused CHECK (customer <> '%s')"
            .formatted(customer));
  }

  /** All but nobody. */
  void acceptAll() {
    execute("ALTER TABLE account DROP CONSTRAINT account_refused");
  }

  private void execute(String sql) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Points of a customer; 0 for a stranger. */
  int of(String customer) {
    return number("SELECT points FROM account WHERE customer = ?", customer);
  }

  /** The points of all customers whose names begin so. */
  int ofAll(String beginning) {
    return number(
        "SELECT coalesce(sum(points), 0) FROM account WHERE customer LIKE ?", beginning + "%");
  }

  /** How many messages of this queue are parked for a reason. */
  int parked(String queue, String reason) {
    return number(
        "SELECT count(*) FROM parked_message WHERE queue = ? AND reason = ?", queue, reason);
  }

  private int number(String sql, String... parameters) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        select.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getInt(1) : 0;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
