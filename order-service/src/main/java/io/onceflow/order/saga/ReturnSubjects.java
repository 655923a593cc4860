package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.store.Subjects;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Returns and their orders as the returns' sagas read and write them, in one transaction. */
final class ReturnSubjects implements Subjects<ReturnOrder> {

  private final Transaction tx;
  private final OrderTable orders;
  private final OrderMessages messages;

  ReturnSubjects(Transaction tx, OrderMessages messages, ObjectMapper json) {
    this.tx = tx;
    this.messages = messages;
    this.orders = new OrderTable(json);
  }

  /**
   * Begins a return of an order, if that makes sense; its saga is yet to start. The order's row is
   * locked, so that of two who come at once the second sees what the first has begun.
   *
   * @param customer whose order it has to be
   */
  ReturnAnswer begin(UUID orderId, String customer, Instant now) throws SQLException {
    Optional<Order> order =
        orders.load(tx.connection(), Set.of(orderId)).stream()
            .filter(found -> found.customer().equals(customer))
            .findFirst();
    if (order.isEmpty()) {
      return new ReturnAnswer.NoOrder();
    }
    if (order.get().status() != OrderStatus.CONFIRMED) {
      return new ReturnAnswer.NotConfirmed(order.get().status());
    }
    Optional<OrderReturn> before = ReturnTable.latest(tx.connection(), orderId);
    if (before.isPresent() && before.get().stands()) {
      return new ReturnAnswer.UnderWay(before.get());
    }
    OrderReturn wish = OrderReturn.requested(OutboxMessage.newId(), orderId, now);
    ReturnTable.insert(tx.connection(), wish);
    return new ReturnAnswer.Begun(wish, order.get());
  }

  /** Locks returns first and their orders after them. */
  @Override
  public Map<UUID, ReturnOrder> load(Connection connection, Set<UUID> ids) throws SQLException {
    List<OrderReturn> wishes = ReturnTable.load(connection, ids);
    Map<UUID, Order> theirs = new HashMap<>();
    orders
        .load(connection, wishes.stream().map(OrderReturn::orderId).collect(Collectors.toSet()))
        .forEach(order -> theirs.put(order.id(), order));
    Map<UUID, ReturnOrder> loaded = new HashMap<>();
    for (OrderReturn wish : wishes) {
      loaded.put(wish.id(), ReturnOrder.of(wish, theirs.get(wish.orderId())));
    }
    return loaded;
  }

  /**
   * An order is written when it was given back, and not else. A batch may hold two returns of one
   * order, one of them rejected long ago, which would overwrite what the other has made of it.
   */
  @Override
  public void save(Connection connection, Collection<ReturnOrder> changed) throws SQLException {
    ReturnTable.update(connection, changed.stream().map(ReturnOrder::wish).toList());
    List<Order> givenBack =
        changed.stream().filter(ReturnOrder::isCompleted).map(ReturnOrder::order).toList();
    if (!givenBack.isEmpty()) {
      orders.update(connection, givenBack);
    }
    tx.send(
        changed.stream()
            .flatMap(subject -> subject.raised().stream())
            .map(messages::event)
            .toList());
  }
}
