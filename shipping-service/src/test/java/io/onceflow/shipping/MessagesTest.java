package io.onceflow.shipping;

import io.onceflow.launcher.testing.MessageLaws;
import io.onceflow.shipping.domain.ShipmentReply;
import java.util.stream.Stream;

class MessagesTest extends MessageLaws {

  MessagesTest() {
    super(ShipmentReply.class);
  }

  @Override
  protected Stream<Object> commands() {
    return Stream.of(
        AnOrder.arrangeShipment(),
        AnOrder.cancelShipment(),
        AnOrder.arrangeReturn(),
        AnOrder.cancelReturn());
  }

  @Override
  protected Stream<ShipmentReply> replies() {
    return Stream.of(
        AnOrder.shipmentArranged(),
        AnOrder.shipmentRejected(),
        AnOrder.shipmentCancelled(),
        AnOrder.returnArranged(),
        AnOrder.returnRejected(),
        AnOrder.returnCancelled(),
        new ShipmentReply.CancellationDeclined(AnOrder.ID, "rejected"));
  }
}
