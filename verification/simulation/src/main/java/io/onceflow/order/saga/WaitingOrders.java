package io.onceflow.order.saga;

import static io.onceflow.saga.Limit.running;
import static io.onceflow.saga.Limit.starting;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import io.onceflow.order.saga.Commands.ArrangeShipment;
import io.onceflow.order.saga.Commands.CancelShipment;
import io.onceflow.order.saga.OrderReply.ShipmentArranged;
import io.onceflow.order.saga.OrderReply.ShipmentCancelled;
import io.onceflow.order.saga.OrderReply.ShipmentRejected;
import io.onceflow.saga.SagaDefinition;
import java.util.List;

/**
 * The order saga, before which an order is released, approved or cooled off, and packed. The one
 * shipment is an item: an order is shipped once.
 */
final class WaitingOrders {

  static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
              "place-order",
              1,
              await("released").within(ofHours(2)),
              choice("size")
                  .when(
                      "many",
                      WaitingOrders::isMany,
                      approval("credit").by("clerk").two().within(ofHours(2)))
                  .otherwise(sleep("cooling-off", ofMinutes(10))),
              await("packed").within(ofHours(6)).otherwise(),
              PlaceOrderSaga.DEFINITION.parts().getFirst(),
              step("arrange-shipment")
                  .forEach(WaitingOrders::parcels, parcel -> parcel)
                  .send(ArrangeShipment.class, (order, parcel) -> order.arrangeShipment())
                  .compensateWith(CancelShipment.class, (order, parcel) -> order.cancelShipment())
                  .on(ShipmentArranged.class, PlaceOrder::shipped)
                  .on(ShipmentRejected.class, PlaceOrder::rejected)
                  .on(ShipmentCancelled.class, PlaceOrder::shipmentCancelled),
              PlaceOrderSaga.DEFINITION.parts().getLast())
          .onCompensated(PlaceOrder::cancelled);

  /** One at a time, of each customer and in all, and no two in a minute. */
  static final SagaDefinition<PlaceOrder> LIMITED =
      DEFINITION
          .limit(running(1).per(WaitingOrders::customer))
          .limit(running(1).inAll())
          .limit(starting(1, ofMinutes(1)).inAll());

  private WaitingOrders() {}

  private static String customer(PlaceOrder order) {
    return order.order().customer();
  }

  private static boolean isMany(PlaceOrder order) {
    return order.order().items().getFirst().quantity() > 1;
  }

  private static List<String> parcels(PlaceOrder order) {
    return List.of("parcel");
  }
}
