package io.onceflow.order.saga;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import java.util.List;
import java.util.UUID;

/** What the order service asks of others; the shapes are fixed by {@code docs/messages}. */
final class Commands {

  private Commands() {}

  /** Charge an amount, in minor units. */
  @Command("payment.process")
  record ProcessPayment(UUID orderId, long amount, String currency, String paymentMethod) {}

  /** Give back what was charged for the order. */
  @Command("payment.refund")
  @Undoes(ProcessPayment.class)
  record RefundPayment(UUID orderId) {}

  /** Book a shipment. */
  @Command("shipping.arrange")
  record ArrangeShipment(UUID orderId, List<Parcel> items, Address address) {}

  /** What is shipped; the carrier is not told the price. */
  record Parcel(String sku, int quantity) {

    static List<Parcel> of(List<Item> items) {
      return items.stream().map(item -> new Parcel(item.sku(), item.quantity())).toList();
    }
  }

  /** Take the booking back. */
  @Command("shipping.cancel")
  @Undoes(ArrangeShipment.class)
  record CancelShipment(UUID orderId) {}

  /** Have an order fetched from where it was shipped to. */
  @Command("shipping.arrange-return")
  record ArrangeReturn(UUID returnId, UUID orderId, List<Parcel> items, Address address) {}

  /** Take the booking of a return back. */
  @Command("shipping.cancel-return")
  @Undoes(ArrangeReturn.class)
  record CancelReturn(UUID returnId, UUID orderId) {}

  /** Give back what was charged for an order that went through. */
  @Command("payment.return")
  record ReturnPayment(UUID orderId) {}
}
