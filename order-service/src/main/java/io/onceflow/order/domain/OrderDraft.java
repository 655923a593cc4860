package io.onceflow.order.domain;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What a customer wants to order, before it is an order.
 *
 * @param currency ISO 4217
 * @param items at least one
 * @param paymentMethod token of the payment method
 * @param shippingAddress where it goes
 */
public record OrderDraft(
    String currency, List<Item> items, String paymentMethod, Address shippingAddress) {

  /** Copies the items. */
  public OrderDraft {
    items = List.copyOf(items);
  }

  /** The order that it becomes, pending. */
  public Order place(UUID id, String customer, Instant now) {
    return Order.placed(id, customer, currency, items, paymentMethod, shippingAddress, now);
  }
}
