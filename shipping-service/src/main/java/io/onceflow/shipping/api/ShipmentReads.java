package io.onceflow.shipping.api;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** Reads shipments. */
@ApplicationScoped
class ShipmentReads implements PanacheRepositoryBase<ShipmentEntity, UUID> {

  /** The shipments of an order, whoever it belongs to. */
  List<ShipmentEntity> ofOrder(UUID orderId) {
    return list("orderId", orderId);
  }

  /** The shipments of an order if it belongs to this scope; of another's there are none. */
  List<ShipmentEntity> ofOrder(UUID orderId, String scope) {
    return list("orderId = ?1 and scope = ?2", orderId, scope);
  }
}
