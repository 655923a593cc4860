package io.onceflow.shipping.api;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** Reads shipments. */
@ApplicationScoped
class ShipmentReads implements PanacheRepositoryBase<ShipmentEntity, UUID> {

  /** The shipments of an order to its customer, whoever that is. */
  List<ShipmentEntity> ofOrder(UUID orderId) {
    return list("orderId = ?1 and returnId is null", orderId);
  }

  /** The shipments of an order if it belongs to this scope; of another's there are none. */
  List<ShipmentEntity> ofOrder(UUID orderId, String scope) {
    return list("orderId = ?1 and scope = ?2 and returnId is null", orderId, scope);
  }

  /** The shipments by which an order comes back, oldest first, whoever it belongs to. */
  List<ShipmentEntity> returnsOf(UUID orderId) {
    return list("orderId = ?1 and returnId is not null order by id", orderId);
  }

  /** The same if the order belongs to this scope; of another's there are none. */
  List<ShipmentEntity> returnsOf(UUID orderId, String scope) {
    return list("orderId = ?1 and scope = ?2 and returnId is not null order by id", orderId, scope);
  }
}
