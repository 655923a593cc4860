package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.stack.Servers;
import io.onceflow.benchmarks.saga.table.OldRows;
import io.onceflow.benchmarks.saga.table.RelayDrain;
import io.onceflow.quickstart.stack.Service;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * Puts rows into the services' tables and looks at what becomes of them.
 *
 * @param servers where the tables are
 */
record Tables(Servers servers) {

  /** Messages per second that the order service's relay sends of so many that wait. */
  double drain(int messages) throws IOException, SQLException, InterruptedException {
    try (Connection orders = servers.connect(Service.ORDER.database())) {
      return new RelayDrain(orders, servers.brokerPort()).run(messages);
    }
  }

  void fill(long rows, Consumer<String> progress) throws SQLException {
    try (Connection orders = servers.connect(Service.ORDER.database());
        Connection payments = servers.connect(Service.PAYMENT.database());
        Connection shipping = servers.connect(Service.SHIPPING.database())) {
      new OldRows(orders, payments, shipping).fill(rows, progress);
    }
  }
}
