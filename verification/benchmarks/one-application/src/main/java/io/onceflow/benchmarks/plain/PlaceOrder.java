package io.onceflow.benchmarks.plain;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.benchmarks.plain.Messages.ArrangeShipment;
import io.onceflow.benchmarks.plain.Messages.ProcessPayment;
import io.onceflow.benchmarks.plain.Messages.RefundPayment;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;

/** The same saga as the other products run: charge, book, confirm; or charge, refund, cancel. */
@ApplicationScoped
public class PlaceOrder implements Saga<PlacedOrder> {

  @Override
  public SagaDefinition<PlacedOrder> definition() {
    return saga(
            "place-order",
            1,
            step("process-payment")
                .send(ProcessPayment.class, PlacedOrder::processPayment)
                .compensateWith("refund-payment", RefundPayment.class, PlacedOrder::refundPayment),
            step("arrange-shipment").send(ArrangeShipment.class, PlacedOrder::arrangeShipment),
            pivot("confirm-order").run(PlacedOrder::confirm))
        .onCompensated(PlacedOrder::cancel);
  }
}
