package com.example.loyalty;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The points of customers. */
@ApplicationScoped
class Accounts {

  private static final String ADD =
      """
      INSERT INTO account (customer, points, changes)
      VALUES (?, ?, 1)
      ON CONFLICT (customer) DO UPDATE
      SET    points = account.points + excluded.points, changes = account.changes + 1
      """;

  private final DataSource database;

  Accounts(DataSource database) {
    this.database = database;
  }

  /** Adds points in the transaction that is open. */
  void add(String customer, int points) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(ADD)) {
      insert.setString(1, customer);
      insert.setInt(2, points);
      insert.executeUpdate();
    }
  }
}
