package io.onceflow.order.api;

import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import io.onceflow.saga.Saga.CancelOutcome;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.NullUnmarked;

/**
 * An order as it is read for showing. Sagas write orders in sets, by SQL; nothing is written
 * through here. The payment method's token is not mapped, so no answer can hold it.
 */
@Entity
@Immutable
@Table(name = "orders")
@NullUnmarked
class OrderEntity {

  @Id UUID id;
  String customer;
  String currency;
  long totalAmount;

  @JdbcTypeCode(SqlTypes.JSON)
  List<Item> items;

  @JdbcTypeCode(SqlTypes.JSON)
  Address shippingAddress;

  @Enumerated(EnumType.STRING)
  OrderStatus status;

  String cancellationReason;
  UUID paymentId;

  @Enumerated(EnumType.STRING)
  Payment.Status paymentStatus;

  String gatewayReference;
  UUID shipmentId;

  @Enumerated(EnumType.STRING)
  Shipment.Status shipmentStatus;

  String trackingNumber;
  Instant createdAt;

  /** What cancelling it comes to now that its saga is deleted; empty while the saga must decide. */
  Optional<CancelOutcome> cancelOutcome() {
    return switch (status) {
      case PENDING -> Optional.empty();
      case CANCELLED -> Optional.of(CancelOutcome.CANCELLED);
      case CONFIRMED, RETURNED -> Optional.of(CancelOutcome.TOO_LATE);
    };
  }

  OrderView view() {
    return new OrderView(
        id,
        status,
        cancellationReason,
        currency,
        totalAmount,
        items,
        shippingAddress,
        paymentStatus == null ? null : new Payment(paymentId, paymentStatus, gatewayReference),
        shipmentStatus == null ? null : new Shipment(shipmentId, shipmentStatus, trackingNumber),
        createdAt);
  }
}
