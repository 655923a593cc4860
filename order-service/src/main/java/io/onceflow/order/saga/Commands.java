package io.onceflow.order.saga;

import io.onceflow.order.domain.Address;
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
  record Parcel(String sku, int quantity) {}

  /** Take the booking back. */
  record CancelShipment(UUID orderId) {}
}
