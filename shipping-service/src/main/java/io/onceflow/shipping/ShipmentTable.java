package io.onceflow.shipping;

import io.onceflow.participant.RecordTable;
import io.onceflow.shipping.domain.Shipment;
import jakarta.inject.Singleton;
import java.util.UUID;

/** The table {@code shipment}. Of a shipment that exists only its end is news. */
@Singleton
class ShipmentTable extends RecordTable<Shipment> {

  ShipmentTable() {
    super(Shipment.class, "shipment", "coalesce(return_id, order_id)", "status", "cancelled_at");
  }

  @Override
  protected UUID subjectOf(Shipment shipment) {
    return shipment.subject();
  }
}
