package io.onceflow.order.saga;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.start;
import static java.time.Duration.ofMinutes;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;

/**
 * The order saga, whose shipment is a saga of its own, and which may still be cancelled after it.
 */
final class ShippingOrders {

  static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
              "place-order",
              1,
              PlaceOrderSaga.DEFINITION.parts().getFirst(),
              start("ship", Shipping.class, (PlaceOrder order) -> order),
              sleep("grace", ofMinutes(10)),
              PlaceOrderSaga.DEFINITION.parts().getLast())
          .onCompensated(PlaceOrder::cancelled);

  private ShippingOrders() {}

  /** Arranges the shipment of an order. */
  static final class Shipping implements Saga<PlaceOrder> {

    static final SagaDefinition<PlaceOrder> DEFINITION =
        saga("ship-order", 1, PlaceOrderSaga.DEFINITION.parts().get(1));

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return DEFINITION;
    }
  }
}
