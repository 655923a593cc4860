package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Orders as their sagas read and write them; their events go out with them. */
@ApplicationScoped
class OrderRepository implements SagaRepository<PlaceOrder> {

  private final OrderTable orders;
  private final ObjectMapper json;

  OrderRepository(ObjectMapper json) {
    this.json = json;
    this.orders = new OrderTable(json);
  }

  @Override
  public UUID id(PlaceOrder subject) {
    return subject.id();
  }

  @Override
  public String type() {
    return "order";
  }

  @Override
  public Map<UUID, PlaceOrder> load(Transaction tx, Set<UUID> ids) throws SQLException {
    return orders.load(tx.connection(), ids).stream()
        .collect(Collectors.toMap(Order::id, PlaceOrder::of));
  }

  @Override
  public void insert(Transaction tx, Collection<PlaceOrder> placed) throws SQLException {
    orders.insert(tx.connection(), placed.stream().map(PlaceOrder::order).toList());
    OrderEvent.tell(tx, json, placed.stream().map(PlaceOrder::created));
  }

  @Override
  public void save(Transaction tx, Collection<PlaceOrder> changed) throws SQLException {
    orders.update(tx.connection(), changed.stream().map(PlaceOrder::order).toList());
    OrderEvent.tell(tx, json, changed.stream().flatMap(it -> it.raised().stream()));
  }
}
