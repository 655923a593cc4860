package io.onceflow.order.domain;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A customer's order. It changes by its verbs alone, and each guards the state it needs.
 *
 * @param id UUIDv7, so that newer orders sort after older ones
 * @param customer the authenticated subject who placed it
 * @param currency ISO 4217
 * @param items at least one
 * @param paymentMethod token of the payment method; goes to the payment service and nowhere else
 * @param shippingAddress where it goes
 * @param status see {@link OrderStatus}
 * @param cancellationReason why it was undone; null unless CANCELLED
 * @param payment null until the payment service has answered
 * @param shipment null until the shipping service has answered
 * @param createdAt when it was placed
 */
public record Order(
    UUID id,
    String customer,
    String currency,
    List<Item> items,
    String paymentMethod,
    Address shippingAddress,
    OrderStatus status,
    @Nullable String cancellationReason,
    @Nullable Payment payment,
    @Nullable Shipment shipment,
    Instant createdAt) {

  /** Copies the items. */
  public Order {
    items = List.copyOf(items);
  }

  /** A new order, pending. */
  public static Order placed(
      UUID id,
      String customer,
      String currency,
      List<Item> items,
      String paymentMethod,
      Address shippingAddress,
      Instant now) {
    return new Order(
        id,
        customer,
        currency,
        items,
        paymentMethod,
        shippingAddress,
        OrderStatus.PENDING,
        null,
        null,
        null,
        now);
  }

  /** What it costs, in minor units of its currency. */
  public long totalAmount() {
    return items.stream().mapToLong(Item::amount).reduce(0, Math::addExact);
  }

  /** Notes what the payment service said. */
  public Order notePayment(Payment said) {
    return with(status, cancellationReason, said, shipment);
  }

  /** Notes what the shipping service said. */
  public Order noteShipment(Shipment said) {
    return with(status, cancellationReason, payment, said);
  }

  /** Notes that the charge, if there was one, was given back. */
  public Order noteRefund() {
    return payment == null ? this : notePayment(payment.refunded());
  }

  /** Notes that the booking, if there was one, was taken back. */
  public Order noteShipmentCancelled() {
    return shipment == null ? this : noteShipment(shipment.cancelled());
  }

  /**
   * Everything is done.
   *
   * @throws IllegalStateException unless it is pending
   */
  public Order confirm() {
    require(OrderStatus.PENDING, "confirmed");
    return with(OrderStatus.CONFIRMED, null, payment, shipment);
  }

  /**
   * Everything is undone.
   *
   * @param reason such as PAYMENT_DECLINED
   * @throws IllegalStateException unless it is pending
   */
  public Order cancel(String reason) {
    require(OrderStatus.PENDING, "cancelled");
    return with(OrderStatus.CANCELLED, reason, payment, shipment);
  }

  /**
   * It was given back, and so was its money.
   *
   * @throws IllegalStateException unless it is confirmed and its money is back
   */
  public Order markReturned() {
    require(OrderStatus.CONFIRMED, "returned");
    if (payment == null || payment.status() != Payment.Status.REFUNDED) {
      throw new IllegalStateException(
          "order %s cannot be returned: its payment is %s".formatted(id, payment));
    }
    return with(OrderStatus.RETURNED, null, payment, shipment);
  }

  private void require(OrderStatus needed, String what) {
    if (status != needed) {
      throw new IllegalStateException(
          "order %s is %s and cannot be %s".formatted(id, status, what));
    }
  }

  private Order with(
      OrderStatus newStatus,
      @Nullable String newReason,
      @Nullable Payment newPayment,
      @Nullable Shipment newShipment) {
    return new Order(
        id,
        customer,
        currency,
        items,
        paymentMethod,
        shippingAddress,
        newStatus,
        newReason,
        newPayment,
        newShipment,
        createdAt);
  }
}
