package io.onceflow.shipping.api;

import io.onceflow.shipping.domain.Shipment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A shipment as it is shown.
 *
 * @param trackingNumber what the carrier calls the booking; null of a rejected one
 */
public record ShipmentView(
    UUID id, UUID orderId, Shipment.Status status, @Nullable String trackingNumber) {

  static ShipmentView of(Shipment shipment) {
    return new ShipmentView(
        shipment.id(), shipment.orderId(), shipment.status(), shipment.trackingNumber());
  }
}
