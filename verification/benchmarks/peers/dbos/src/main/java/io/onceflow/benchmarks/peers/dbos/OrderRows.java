package io.onceflow.benchmarks.peers.dbos;

import io.onceflow.benchmarks.peers.PeerOrder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The business rows that Onceflow's application writes, each by a transaction of its step. A step
 * that runs again finds its row.
 *
 * @param database null for none: what is measured then is the product alone
 */
record OrderRows(@Nullable DataSource database) {

  private static final String[] TABLES = {
    """
    CREATE TABLE IF NOT EXISTS orders
      (id text PRIMARY KEY, amount bigint, method text, country text, status text)
    """,
    "CREATE TABLE IF NOT EXISTS payment (order_id text PRIMARY KEY, amount bigint, status text)",
    "CREATE TABLE IF NOT EXISTS shipment (order_id text PRIMARY KEY, country text, status text)"
  };

  static OrderRows in(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
    return new OrderRows(database);
  }

  void place(PeerOrder order) throws SQLException {
    write(
        "INSERT INTO orders VALUES (?, ?, ?, ?, 'PENDING') ON CONFLICT DO NOTHING",
        order.id(),
        order.amount(),
        order.paymentMethod(),
        order.country());
  }

  void charged(PeerOrder order) throws SQLException {
    write(
        "INSERT INTO payment VALUES (?, ?, 'PROCESSED') ON CONFLICT DO NOTHING",
        order.id(),
        order.amount());
  }

  void refunded(PeerOrder order) throws SQLException {
    write("UPDATE payment SET status = 'REFUNDED' WHERE order_id = ?", order.id());
  }

  void booked(PeerOrder order) throws SQLException {
    write(
        "INSERT INTO shipment VALUES (?, ?, 'ARRANGED') ON CONFLICT DO NOTHING",
        order.id(),
        order.country());
  }

  void ended(PeerOrder order, String status) throws SQLException {
    write("UPDATE orders SET status = ? WHERE id = ?", status, order.id());
  }

  private void write(String sql, Object... parameters) throws SQLException {
    if (database == null) {
      return;
    }
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    }
  }
}
