package io.onceflow.shipping.api;

import io.onceflow.shipping.domain.Shipment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A shipment from a customer back as it is shown.
 *
 * @param returnId which return of the order it is for
 * @param trackingNumber what the carrier calls the booking; null of a rejected one
 */
public record ReturnShipmentView(
    UUID id, UUID orderId, UUID returnId, Shipment.Status status, @Nullable String trackingNumber) {

  static ReturnShipmentView of(Shipment shipment) {
    return new ReturnShipmentView(
        shipment.id(),
        shipment.orderId(),
        shipment.subject(),
        shipment.status(),
        shipment.trackingNumber());
  }
}
