package io.onceflow.launcher.check;

import io.onceflow.launcher.check.CheckedOrders.Entry;
import io.onceflow.launcher.check.CheckedOrders.Order;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the books of the samples from those of the databases that have them. */
final class OrderBookReader {

  /** Orders that are being returned are in motion. */
  private static final String ORDERS =
      """
      SELECT   o.id, o.status, o.total_amount, saga.status
      FROM     (SELECT id, status, total_amount FROM orders ORDER BY id DESC LIMIT :newest) o
      LEFT     JOIN saga_instance saga ON saga.definition = 'place-order' AND saga.subject_id = o.id
      WHERE    NOT EXISTS (SELECT FROM order_return r WHERE r.order_id = o.id AND r.status IN ('REQUESTED', 'ACCEPTED'))
      """;

  private static final String PAYMENTS =
      "SELECT order_id, status, amount FROM payment WHERE order_id = ANY (?::uuid[])";

  private static final String SHIPMENTS =
      "SELECT order_id, status, 0 FROM shipment WHERE order_id = ANY (?::uuid[]) AND return_id IS"
          + " NULL";

  private static final String GATEWAY =
      "SELECT order_id, kind, amount FROM simulated_gateway.ledger WHERE order_id = ANY"
          + " (?::uuid[])";

  private final List<CheckedDatabase> databases;

  OrderBookReader(List<CheckedDatabase> databases) {
    this.databases = databases;
  }

  /**
   * Checks the books. Databases are not read at the same moment, so orders whose status has changed
   * meanwhile are left out.
   */
  List<Finding> check(CheckedDatabase ordersAt) throws SQLException {
    List<Order> before = orders(ordersAt);
    for (CheckedDatabase database : databases) {
      database.refresh();
    }
    Set<Order> still = new HashSet<>(before);
    List<Order> orders = orders(ordersAt).stream().filter(still::contains).toList();
    List<String> ids = orders.stream().map(Order::id).toList();
    List<Entry> gateway = entries("simulated_gateway.ledger", GATEWAY, ids);
    // Where a real gateway is charged, the simulated one has its tables and no entries.
    boolean isSimulated = gateway != null && !gateway.isEmpty();
    CheckedOrders books =
        new CheckedOrders(
            orders,
            entries("payment", PAYMENTS, ids),
            entries("shipment", SHIPMENTS, ids),
            isSimulated ? gateway : null);
    return books.check(ordersAt.name()).stream().limit(ordersAt.bounds().most()).toList();
  }

  private static List<Order> orders(CheckedDatabase database) throws SQLException {
    return database.rows(
        ORDERS,
        row -> new Order(row.getString(1), row.getString(2), row.getLong(3), row.getString(4)));
  }

  private @Nullable List<Entry> entries(String table, String query, List<String> ids)
      throws SQLException {
    Optional<CheckedDatabase> database = first(table);
    return database.isEmpty()
        ? null
        : database
            .get()
            .rows(query, row -> new Entry(row.getString(1), row.getString(2), row.getLong(3)), ids);
  }

  private Optional<CheckedDatabase> first(String table) throws SQLException {
    for (CheckedDatabase database : databases) {
      if (database.has(table)) {
        return Optional.of(database);
      }
    }
    return Optional.empty();
  }
}
