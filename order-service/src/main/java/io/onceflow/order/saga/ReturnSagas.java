package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.api.SagaStart;
import io.onceflow.saga.api.Sagas;
import io.onceflow.saga.store.SagaView;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Takes orders back. */
@ApplicationScoped
public class ReturnSagas {

  private final Sagas sagas;
  private final OrderTable orders;
  private final Clock clock;

  ReturnSagas(Sagas sagas, ObjectMapper json, Clock clock) {
    this.sagas = sagas;
    this.orders = new OrderTable(json);
    this.clock = clock;
  }

  /**
   * Records a return and takes the first step of its saga, unless that makes no sense. The order's
   * row is locked, so that of two who come at once the second sees what the first has begun.
   */
  public ReturnAnswer begin(Transaction tx, NewReturn asked) throws SQLException {
    Optional<Order> order =
        orders.load(tx.connection(), Set.of(asked.orderId())).stream()
            .filter(found -> found.customer().equals(asked.customer()))
            .findFirst();
    if (order.isEmpty()) {
      return new ReturnAnswer.NoOrder();
    }
    if (order.get().status() != OrderStatus.CONFIRMED) {
      return new ReturnAnswer.NotConfirmed(order.get().status());
    }
    Optional<OrderReturn> before = ReturnTable.latest(tx.connection(), asked.orderId());
    if (before.isPresent() && before.get().stands()) {
      return new ReturnAnswer.UnderWay(before.get());
    }
    return start(tx, asked, order.get());
  }

  private ReturnAnswer start(Transaction tx, NewReturn asked, Order order) throws SQLException {
    OrderReturn wish =
        OrderReturn.requested(OutboxMessage.newId(), asked.orderId(), clock.instant());
    SagaStart<ReturnOrder> start =
        new SagaStart<>(
            ReturnOrder.of(wish, order), asked.customer(), asked.rootKey(), asked.traceparent());
    sagas.start(tx, ReturnOrderSaga.class, List.of(start));
    return new ReturnAnswer.Begun(wish);
  }

  /** The last return that was asked for of an order, with its saga; empty if none was. */
  public Optional<ReturnWithSaga> latestOf(Transaction tx, UUID orderId) throws SQLException {
    Optional<OrderReturn> wish = ReturnTable.latest(tx.connection(), orderId);
    if (wish.isEmpty()) {
      return Optional.empty();
    }
    Optional<SagaView> saga = sagas.about(tx, ReturnOrderSaga.class, wish.get().id());
    return saga.map(view -> new ReturnWithSaga(wish.get(), view));
  }
}
