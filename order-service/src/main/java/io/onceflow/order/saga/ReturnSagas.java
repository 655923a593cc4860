package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes orders back. */
@ApplicationScoped
public class ReturnSagas {

  /**
   * The wish to give an order back.
   *
   * @param customer who asks; only their own orders can be given back
   * @param rootKey of which the step keys of its saga are made
   * @param traceparent the W3C trace context of the request; null if it had none
   */
  public record NewReturn(
      UUID orderId, String customer, IdempotencyKey rootKey, @Nullable String traceparent) {}

  /** Its outcome. */
  public sealed interface Answer {

    /** Its saga takes it from here. */
    record Begun(OrderReturn wish) implements Answer {}

    /** The customer has no such order. */
    record NoOrder() implements Answer {}

    /** The order is not with the customer, or not any more. */
    record NotConfirmed(OrderStatus status) implements Answer {}

    /**
     * The order is in transit back already.
     *
     * @param wish the return that is under way
     */
    record UnderWay(OrderReturn wish) implements Answer {}
  }

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
   * row is locked, so that of two who come at once the second sees what the first has started.
   */
  public Answer begin(Transaction tx, NewReturn asked) throws SQLException {
    Optional<Order> order =
        orders.load(tx.connection(), Set.of(asked.orderId())).stream()
            .filter(found -> found.customer().equals(asked.customer()))
            .findFirst();
    if (order.isEmpty()) {
      return new Answer.NoOrder();
    }
    if (order.get().status() != OrderStatus.CONFIRMED) {
      return new Answer.NotConfirmed(order.get().status());
    }
    Optional<OrderReturn> before = ReturnTable.latest(tx.connection(), asked.orderId());
    if (before.isPresent() && before.get().stands()) {
      return new Answer.UnderWay(before.get());
    }
    return start(tx, asked, order.get());
  }

  private Answer start(Transaction tx, NewReturn asked, Order order) throws SQLException {
    OrderReturn wish =
        OrderReturn.requested(OutboxMessage.newId(), asked.orderId(), clock.instant());
    SagaStart<ReturnOrder> start =
        new SagaStart<>(
            ReturnOrder.of(wish, order), asked.customer(), asked.rootKey(), asked.traceparent());
    sagas.start(tx, ReturnOrderSaga.class, List.of(start));
    return new Answer.Begun(wish);
  }

  /** The last return that was asked for of an order; empty if none was. */
  public Optional<OrderReturn> latestOf(Transaction tx, UUID orderId) throws SQLException {
    return ReturnTable.latest(tx.connection(), orderId);
  }

  /** A return's saga, for showing it. */
  public Optional<SagaView> ofReturn(Transaction tx, UUID id) throws SQLException {
    return sagas.about(tx, ReturnOrderSaga.class, id);
  }
}
