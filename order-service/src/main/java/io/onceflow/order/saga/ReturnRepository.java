package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.api.SagaRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Returns and their orders as the returns' sagas read and write them. */
@ApplicationScoped
class ReturnRepository implements SagaRepository<ReturnOrder> {

  private final OrderTable orders;
  private final OrderMessages messages;

  ReturnRepository(OrderMessages messages, ObjectMapper json) {
    this.messages = messages;
    this.orders = new OrderTable(json);
  }

  @Override
  public UUID id(ReturnOrder subject) {
    return subject.id();
  }

  @Override
  public String type() {
    return "order-return";
  }

  /** Locks returns first and their orders after them. */
  @Override
  public Map<UUID, ReturnOrder> load(Transaction tx, Set<UUID> ids) throws SQLException {
    List<OrderReturn> wishes = ReturnTable.load(tx.connection(), ids);
    Map<UUID, Order> theirs = new HashMap<>();
    orders
        .load(
            tx.connection(), wishes.stream().map(OrderReturn::orderId).collect(Collectors.toSet()))
        .forEach(order -> theirs.put(order.id(), order));
    Map<UUID, ReturnOrder> loaded = new HashMap<>();
    for (OrderReturn wish : wishes) {
      loaded.put(wish.id(), ReturnOrder.of(wish, theirs.get(wish.orderId())));
    }
    return loaded;
  }

  @Override
  public void insert(Transaction tx, Collection<ReturnOrder> asked) throws SQLException {
    for (ReturnOrder each : asked) {
      ReturnTable.insert(tx.connection(), each.wish());
    }
  }

  /**
   * An order is written when it was given back, and not else. A batch may hold two returns of one
   * order, one of them rejected long ago, which would overwrite what the other has made of it.
   */
  @Override
  public void save(Transaction tx, Collection<ReturnOrder> changed) throws SQLException {
    ReturnTable.update(tx.connection(), changed.stream().map(ReturnOrder::wish).toList());
    List<Order> givenBack =
        changed.stream().filter(ReturnOrder::isCompleted).map(ReturnOrder::order).toList();
    if (!givenBack.isEmpty()) {
      orders.update(tx.connection(), givenBack);
    }
    tx.send(
        changed.stream()
            .flatMap(subject -> subject.raised().stream())
            .map(messages::event)
            .toList());
  }
}
