package io.onceflow.payment.api;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** Reads payments. */
@ApplicationScoped
class PaymentReads implements PanacheRepositoryBase<PaymentEntity, UUID> {

  /** The payments of an order, whoever it belongs to. */
  List<PaymentEntity> ofOrder(UUID orderId) {
    return list("orderId", orderId);
  }

  /** The payments of an order if it belongs to this scope; of another's there are none. */
  List<PaymentEntity> ofOrder(UUID orderId, String scope) {
    return list("orderId = ?1 and scope = ?2", orderId, scope);
  }
}
