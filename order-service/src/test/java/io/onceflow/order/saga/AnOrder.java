package io.onceflow.order.saga;

import io.onceflow.order.domain.Address;
import io.onceflow.order.domain.Item;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The order of the golden files, and what others say about it there. */
public final class AnOrder {

  public static final UUID ID = UUID.fromString("0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01");

  public static final UUID RETURN = UUID.fromString("0199c3a4-8040-7f33-8e66-74c3d2ebf504");

  private static final UUID PAYMENT = UUID.fromString("0199c3a4-6020-7d11-8c44-52a1b0c9d302");
  private static final String CHARGE = "ch_0199c3a460217a5b";
  private static final UUID SHIPMENT = UUID.fromString("0199c3a4-7030-7e22-9d55-63b2c1dae403");

  private AnOrder() {}

  public static Order placed() {
    return placed(ID);
  }

  static Order placed(UUID id) {
    return Order.placed(
        id,
        "alice",
        "EUR",
        List.of(new Item("BOOK-42", 2, 1250)),
        "pm_card_visa",
        new Address("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB"),
        Instant.parse("2026-01-01T12:00:00Z"));
  }

  static OrderReply paymentProcessed() {
    return new OrderReply.PaymentProcessed(ID, PAYMENT, 2500, "EUR", CHARGE);
  }

  static OrderReply paymentDeclined() {
    return new OrderReply.PaymentDeclined(ID, "INSUFFICIENT_FUNDS");
  }

  static OrderReply paymentRefunded() {
    return new OrderReply.PaymentRefunded(ID, 2500);
  }

  static OrderReply shipmentArranged() {
    return new OrderReply.ShipmentArranged(ID, SHIPMENT, "SIM-0199C3A47031");
  }

  static OrderReply shipmentRejected() {
    return new OrderReply.ShipmentRejected(ID, "COUNTRY_NOT_SERVED");
  }

  static OrderReply shipmentCancelled() {
    return new OrderReply.ShipmentCancelled(ID);
  }

  /** The same order, paid and on its way. */
  static Order confirmed() {
    return placed()
        .notePayment(Payment.processed(PAYMENT, CHARGE))
        .noteShipment(Shipment.arranged(SHIPMENT, "SIM-0199C3A47031"))
        .confirm();
  }

  /** Somebody wants to give it back. */
  static OrderReturn returnRequested() {
    return OrderReturn.requested(RETURN, ID, Instant.parse("2026-01-15T12:00:00Z"));
  }

  static OrderReply returnArranged() {
    return new OrderReply.ReturnArranged(
        RETURN, ID, UUID.fromString("0199c3a4-9050-7a44-9f77-85d4e3fc0605"), "SIM-0199C3A49051");
  }

  static OrderReply returnRejected() {
    return new OrderReply.ReturnRejected(RETURN, ID, "RETURNS_NOT_SERVED");
  }

  static OrderReply returnCancelled() {
    return new OrderReply.ReturnCancelled(RETURN, ID);
  }

  static OrderReply paymentReturned() {
    return new OrderReply.PaymentReturned(ID, 2500);
  }
}
