package io.onceflow.order.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;

import io.onceflow.saga.SagaDefinition;

/**
 * How an order is placed: it is paid, its shipment is arranged, it is confirmed. What was done is
 * undone in reverse when a step is refused. Drawn in {@code docs/guide/saga.md}.
 */
public final class PlaceOrderSaga {

  static final String PROCESS_PAYMENT = "process-payment";
  static final String REFUND_PAYMENT = "refund-payment";
  static final String ARRANGE_SHIPMENT = "arrange-shipment";
  static final String CANCEL_SHIPMENT = "cancel-shipment";

  /** The definition, version 1. */
  static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
          "place-order",
          1,
          step(PROCESS_PAYMENT)
              .send(PlaceOrder::processPayment)
              .compensateWith(REFUND_PAYMENT, PlaceOrder::refundPayment)
              .replyWithin(ofSeconds(10)),
          step(ARRANGE_SHIPMENT)
              .send(PlaceOrder::arrangeShipment)
              .compensateWith(CANCEL_SHIPMENT, PlaceOrder::cancelShipment)
              .replyWithin(ofSeconds(10)),
          pivot("confirm-order").run(PlaceOrder::confirm));

  private PlaceOrderSaga() {}
}
