package io.onceflow.shipping.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.Shipment;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A shipment as it is shown.
 *
 * @param returnId which return of the order it is for; left out where it goes to the customer
 * @param trackingNumber what the carrier calls the booking; null of a rejected one
 * @param tracking how far the parcel is, in the carrier's words; left out where it does not tell
 */
public record ShipmentView(
    UUID id,
    UUID orderId,
    @JsonInclude(Include.NON_NULL) @Nullable UUID returnId,
    Shipment.Status status,
    @Nullable String trackingNumber,
    @JsonInclude(Include.NON_NULL) @Nullable String tracking) {

  static ShipmentView of(Shipment shipment, Carrier carrier) {
    return new ShipmentView(
        shipment.id(),
        shipment.orderId(),
        shipment.returnId(),
        shipment.status(),
        shipment.trackingNumber(),
        Optional.ofNullable(shipment.trackingNumber()).flatMap(carrier::tracking).orElse(null));
  }
}
