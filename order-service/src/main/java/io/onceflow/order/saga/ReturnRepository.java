package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Returns and their orders as the returns' sagas read and write them. */
@ApplicationScoped
class ReturnRepository implements SagaRepository<ReturnOrder> {

  private final OrderTable orders;
  private final ObjectMapper json;

  ReturnRepository(ObjectMapper json) {
    this.json = json;
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
    Set<UUID> orderIds = wishes.stream().map(OrderReturn::orderId).collect(Collectors.toSet());
    Map<UUID, Order> theirs =
        orders.load(tx.connection(), orderIds).stream()
            .collect(Collectors.toMap(Order::id, order -> order));
    return wishes.stream()
        .map(wish -> ReturnOrder.of(wish, theirs.get(wish.orderId())))
        .collect(Collectors.toMap(ReturnOrder::id, subject -> subject));
  }

  @Override
  public void insert(Transaction tx, Collection<ReturnOrder> asked) throws SQLException {
    ReturnTable.insert(tx.connection(), asked.stream().map(ReturnOrder::wish).toList());
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
    OrderEvent.tell(tx, json, changed.stream().flatMap(it -> it.raised().stream()));
  }
}
