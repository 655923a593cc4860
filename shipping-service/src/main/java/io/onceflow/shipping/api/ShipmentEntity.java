package io.onceflow.shipping.api;

import io.onceflow.shipping.domain.Shipment;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/** A shipment as it is read for showing. Commands write shipments in sets, by SQL. */
@Entity
@Immutable
@Table(name = "shipment")
@NullUnmarked
class ShipmentEntity {

  @Id UUID id;

  @Column(name = "order_id")
  UUID orderId;

  /** Null of a shipment to the customer. */
  @Column(name = "return_id")
  UUID returnId;

  String scope;

  @Enumerated(EnumType.STRING)
  Shipment.Status status;

  @Column(name = "tracking_number")
  String trackingNumber;

  ShipmentView view() {
    return new ShipmentView(id, orderId, status, trackingNumber);
  }

  ReturnShipmentView returnView() {
    return new ReturnShipmentView(id, orderId, returnId, status, trackingNumber);
  }
}
