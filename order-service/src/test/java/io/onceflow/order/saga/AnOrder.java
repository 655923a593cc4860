package io.onceflow.order.saga;

import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The order of the golden files, and what others say about it there. */
public final class AnOrder {

  public static final UUID ID = UUID.fromString("0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01");

  private AnOrder() {}

  public static Order placed() {
    return Order.placed(
        ID,
        "alice",
        "EUR",
        List.of(new Item("BOOK-42", 2, 1250)),
        "pm_card_visa",
        new Address("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB"),
        Instant.parse("2026-01-01T12:00:00Z"));
  }

  static OrderReply paymentProcessed() {
    return new OrderReply.PaymentProcessed(
        ID,
        UUID.fromString("0199c3a4-6020-7d11-8c44-52a1b0c9d302"),
        2500,
        "EUR",
        "ch_0199c3a460217a5b");
  }

  static OrderReply paymentDeclined() {
    return new OrderReply.PaymentDeclined(ID, "INSUFFICIENT_FUNDS");
  }

  static OrderReply paymentRefunded() {
    return new OrderReply.PaymentRefunded(ID, 2500);
  }

  static OrderReply shipmentArranged() {
    return new OrderReply.ShipmentArranged(
        ID, UUID.fromString("0199c3a4-7030-7e22-9d55-63b2c1dae403"), "SIM-0199C3A47031");
  }

  static OrderReply shipmentRejected() {
    return new OrderReply.ShipmentRejected(ID, "COUNTRY_NOT_SERVED");
  }

  static OrderReply shipmentCancelled() {
    return new OrderReply.ShipmentCancelled(ID);
  }
}
