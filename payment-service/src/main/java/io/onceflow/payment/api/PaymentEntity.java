package io.onceflow.payment.api;

import io.onceflow.payment.domain.Payment;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/** A payment as it is read for showing. Commands write payments in sets, by SQL. */
@Entity
@Immutable
@Table(name = "payment")
@NullUnmarked
class PaymentEntity {

  @Id UUID id;

  @Column(name = "order_id")
  UUID orderId;

  String scope;

  @Enumerated(EnumType.STRING)
  Payment.Status status;

  long amount;

  String currency;

  @Column(name = "gateway_reference")
  String gatewayReference;

  PaymentView view() {
    return new PaymentView(id, orderId, status, amount, currency, gatewayReference);
  }
}
