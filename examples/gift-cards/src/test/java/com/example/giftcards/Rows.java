package com.example.giftcards;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A look at the database. */
final class Rows {

  private Rows() {}

  /** The number that a query answers with. */
  static long number(Connection connection, String sql, Object... arguments) {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        query.setObject(i + 1, arguments[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  static void run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
