package io.onceflow.order.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.order.saga.Commands.ArrangeShipment;
import io.onceflow.order.saga.Commands.CancelShipment;
import io.onceflow.order.saga.Commands.ProcessPayment;
import io.onceflow.order.saga.Commands.RefundPayment;
import io.onceflow.order.saga.OrderReply.PaymentDeclined;
import io.onceflow.order.saga.OrderReply.PaymentProcessed;
import io.onceflow.order.saga.OrderReply.PaymentRefunded;
import io.onceflow.order.saga.OrderReply.ShipmentArranged;
import io.onceflow.order.saga.OrderReply.ShipmentCancelled;
import io.onceflow.order.saga.OrderReply.ShipmentRejected;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * How an order is placed: it is paid, its shipment is arranged, it is confirmed. What was done is
 * undone in reverse when a step is refused. Drawn in {@code docs/guide/saga.md}.
 */
@ApplicationScoped
class PlaceOrderSaga implements Saga<PlaceOrder> {

  /** The definition, version 1. */
  static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
              "place-order",
              1,
              step("process-payment")
                  .send(ProcessPayment.class, PlaceOrder::processPayment)
                  .await("payment-settled")
                  .within(Duration.ofDays(2))
                  .compensateWith(RefundPayment.class, PlaceOrder::refundPayment)
                  .on(PaymentProcessed.class, PlaceOrder::checkCharge, PlaceOrder::paid)
                  .on(PaymentDeclined.class, PlaceOrder::checkOrder, PlaceOrder::declined)
                  .on(PaymentRefunded.class, PlaceOrder::checkRefund, PlaceOrder::refunded),
              step("arrange-shipment")
                  .send(ArrangeShipment.class, PlaceOrder::arrangeShipment)
                  .compensateWith(CancelShipment.class, PlaceOrder::cancelShipment)
                  .on(ShipmentArranged.class, PlaceOrder::checkOrder, PlaceOrder::shipped)
                  .on(ShipmentRejected.class, PlaceOrder::checkOrder, PlaceOrder::rejected)
                  .on(
                      ShipmentCancelled.class,
                      PlaceOrder::checkOrder,
                      PlaceOrder::shipmentCancelled),
              pivot("confirm-order").run(PlaceOrder::confirm))
          .onCompensated(PlaceOrder::cancelled);

  @Override
  public SagaDefinition<PlaceOrder> definition() {
    return DEFINITION;
  }
}
