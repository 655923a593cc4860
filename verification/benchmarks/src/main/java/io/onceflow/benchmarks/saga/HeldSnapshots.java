package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.stack.BenchServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A transaction in each database that keeps the snapshot of its first query, as a backup does. */
final class HeldSnapshots implements AutoCloseable {

  private final List<Connection> transactions = new ArrayList<>();

  private HeldSnapshots() {}

  static HeldSnapshots of(BenchServers servers) throws SQLException {
    HeldSnapshots held = new HeldSnapshots();
    try {
      for (String database : List.of("orders", "payments", "shipping")) {
        held.begin(servers.connect(database));
      }
      return held;
    } catch (SQLException e) {
      held.close();
      throw e;
    }
  }

  private void begin(Connection transaction) throws SQLException {
    transactions.add(transaction);
    transaction.setAutoCommit(false);
    transaction.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = transaction.createStatement()) {
      statement.execute("SELECT count(*) FROM outbox_message");
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection transaction : transactions) {
      transaction.close();
    }
  }
}
