package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order as its customer sees it. The payment method's token is not in it.
 *
 * @param totalAmount in minor units
 * @param cancellationReason absent unless CANCELLED
 * @param payment absent until the payment service has answered
 * @param shipment absent until the shipping service has answered
 */
@JsonInclude(Include.NON_NULL)
record OrderView(
    UUID id,
    OrderStatus status,
    @Nullable String cancellationReason,
    String currency,
    long totalAmount,
    List<Item> items,
    Address shippingAddress,
    @Nullable Payment payment,
    @Nullable Shipment shipment,
    Instant createdAt) {

  static OrderView of(Order order) {
    return new OrderView(
        order.id(),
        order.status(),
        order.cancellationReason(),
        order.currency(),
        order.totalAmount(),
        order.items(),
        order.shippingAddress(),
        order.payment(),
        order.shipment(),
        order.createdAt());
  }
}
