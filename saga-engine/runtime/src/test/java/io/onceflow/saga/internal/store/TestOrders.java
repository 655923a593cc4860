package io.onceflow.saga.internal.store;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaRepository;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Orders in a separate table; remembers which were saved. */
public final class TestOrders implements SagaRepository<PlaceOrder> {

  final List<UUID> saved = new ArrayList<>();

  @Override
  public UUID id(PlaceOrder order) {
    return order.id();
  }

  @Override
  public String type() {
    return "order";
  }

  @Override
  public void insert(Transaction tx, Collection<PlaceOrder> orders) throws SQLException {
    String insert = "INSERT INTO test_order (id, noted, confirmed) VALUES (?, '{}', false)";
    try (PreparedStatement statement = tx.connection().prepareStatement(insert)) {
      for (PlaceOrder order : orders) {
        statement.setObject(1, order.id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public Map<UUID, PlaceOrder> load(Transaction tx, Set<UUID> ids) throws SQLException {
    String select =
        """
        SELECT id, noted, confirmed, cancelled_for
        FROM   test_order
        WHERE  id = ANY (?)
        ORDER  BY id
        FOR UPDATE
        """;
    Map<UUID, PlaceOrder> found = new HashMap<>();
    try (PreparedStatement statement = tx.connection().prepareStatement(select)) {
      statement.setArray(1, tx.connection().createArrayOf("uuid", ids.toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          UUID id = rows.getObject("id", UUID.class);
          Array noted = rows.getArray("noted");
          found.put(
              id,
              new PlaceOrder(
                  id,
                  List.of((String[]) noted.getArray()),
                  rows.getBoolean("confirmed"),
                  rows.getString("cancelled_for")));
        }
      }
    }
    return found;
  }

  @Override
  public synchronized void save(Transaction tx, Collection<PlaceOrder> changed)
      throws SQLException {
    String update =
        "UPDATE test_order SET noted = ?, confirmed = ?, cancelled_for = ? WHERE id = ?";
    try (PreparedStatement statement = tx.connection().prepareStatement(update)) {
      for (PlaceOrder order : changed) {
        statement.setArray(1, tx.connection().createArrayOf("text", order.noted().toArray()));
        statement.setBoolean(2, order.confirmed());
        statement.setString(3, order.cancelledFor());
        statement.setObject(4, order.id());
        statement.addBatch();
        saved.add(order.id());
      }
      statement.executeBatch();
    }
  }
}
