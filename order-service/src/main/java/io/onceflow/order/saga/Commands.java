package io.onceflow.order.saga;

import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import java.util.List;
import java.util.UUID;

/** What the order service asks of others; the shapes are fixed by {@code docs/messages}. */
final class Commands {

  private Commands() {}

  /**
   * Charge.
   *
   * @param amount in minor units
   */
  record ProcessPayment(UUID orderId, long amount, String currency, String paymentMethod) {}

  /** Give back what was charged for the order. */
  record RefundPayment(UUID orderId) {}

  /** Book a shipment. */
  record ArrangeShipment(UUID orderId, List<Parcel> items, Address address) {}

  /** What is shipped; its price is nobody's business on the road. */
  record Parcel(String sku, int quantity) {

    static List<Parcel> of(List<Item> items) {
      return items.stream().map(item -> new Parcel(item.sku(), item.quantity())).toList();
    }
  }

  /** Take the booking back. */
  record CancelShipment(UUID orderId) {}

  /** Have an order fetched from where it was shipped to. */
  record ArrangeReturn(UUID returnId, UUID orderId, List<Parcel> items, Address address) {}

  /** Take the booking of a return back. */
  record CancelReturn(UUID returnId, UUID orderId) {}

  /** Give back what was charged for an order that went through. */
  record ReturnPayment(UUID orderId) {}
}
