package io.onceflow.order.saga;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.order.domain.Order;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Places orders. */
@ApplicationScoped
public class OrderSagas {

  /**
   * An order that is to be placed.
   *
   * @param rootKey of which the step keys of its saga are made
   * @param traceparent the W3C trace context of the request; null if it had none
   */
  public record NewOrder(Order order, IdempotencyKey rootKey, @Nullable String traceparent) {}

  /** Shown to customers as the order's cancellation reason: the word stays. */
  public static final String CANCELLED_BY_CUSTOMER = "CANCELLED_BY_CUSTOMER";

  private final Sagas sagas;

  OrderSagas(Sagas sagas) {
    this.sagas = sagas;
  }

  /**
   * Records orders, tells that they were created, and takes their sagas' first steps.
   *
   * @return the ids of the sagas
   */
  public List<UUID> place(Transaction tx, List<NewOrder> orders) throws SQLException {
    return sagas.start(tx, PlaceOrderSaga.class, orders.stream().map(OrderSagas::start).toList());
  }

  private static SagaStart<PlaceOrder> start(NewOrder placed) {
    return new SagaStart<>(
        PlaceOrder.of(placed.order()),
        placed.order().customer(),
        placed.rootKey(),
        placed.traceparent());
  }

  /**
   * Cancels an order, if that is still possible.
   *
   * @param by who wants it, for the saga's history
   * @return what it comes to; empty when its saga follows a version that is not known here, or was
   *     deleted after its retention
   */
  public Optional<CancelOutcome> cancel(Transaction tx, UUID orderId, String by)
      throws SQLException {
    return sagas.cancel(tx, PlaceOrderSaga.class, orderId, CANCELLED_BY_CUSTOMER, by);
  }

  /** An order's saga, for showing it. */
  public Optional<SagaView> ofOrder(Transaction tx, UUID orderId) throws SQLException {
    return sagas.about(tx, PlaceOrderSaga.class, orderId);
  }
}
