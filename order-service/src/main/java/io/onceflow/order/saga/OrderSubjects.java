package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.store.Subjects;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Orders as their sagas read and write them, in one transaction; their events go out with it. */
final class OrderSubjects implements Subjects<PlaceOrder> {

  private final Transaction tx;
  private final OrderTable orders;
  private final OrderMessages messages;

  OrderSubjects(Transaction tx, OrderMessages messages, ObjectMapper json) {
    this.tx = tx;
    this.messages = messages;
    this.orders = new OrderTable(json);
  }

  /** Writes orders that are being placed, before their sagas start. */
  void insert(Collection<PlaceOrder> placed) throws SQLException {
    orders.insert(tx.connection(), placed.stream().map(PlaceOrder::order).toList());
    tell(placed);
  }

  @Override
  public Map<UUID, PlaceOrder> load(Connection connection, Set<UUID> ids) throws SQLException {
    Map<UUID, PlaceOrder> loaded = new HashMap<>();
    orders.load(connection, ids).forEach(order -> loaded.put(order.id(), PlaceOrder.of(order)));
    return loaded;
  }

  @Override
  public void save(Connection connection, Collection<PlaceOrder> changed) throws SQLException {
    orders.update(connection, changed.stream().map(PlaceOrder::order).toList());
    tell(changed);
  }

  private void tell(Collection<PlaceOrder> subjects) {
    tx.send(
        subjects.stream()
            .flatMap(subject -> subject.raised().stream())
            .map(messages::event)
            .toList());
  }
}
