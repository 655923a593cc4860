package io.onceflow.order.saga;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An order in transit: what each step asks of others, and what each answer means for the order.
 *
 * @param order as it stands
 * @param raised events that are to be told when this is saved
 */
record PlaceOrder(Order order, List<OrderEvent> raised) {

  PlaceOrder {
    raised = List.copyOf(raised);
  }

  /** An order that is about to be placed, or was read back. */
  static PlaceOrder of(Order order) {
    return new PlaceOrder(order, List.of());
  }

  UUID id() {
    return order.id();
  }

  /** Tells that it was placed: once, with its row. Later saves of the same subject do not. */
  OrderEvent created() {
    return new OrderEvent.OrderCreated(
        id(), order.customer(), order.totalAmount(), order.currency(), order.items());
  }

  Commands.ProcessPayment processPayment() {
    return new Commands.ProcessPayment(
        id(), order.totalAmount(), order.currency(), order.paymentMethod());
  }

  Commands.RefundPayment refundPayment() {
    return new Commands.RefundPayment(id());
  }

  Commands.ArrangeShipment arrangeShipment() {
    return new Commands.ArrangeShipment(
        id(), Commands.Parcel.of(order.items()), order.shippingAddress());
  }

  Commands.CancelShipment cancelShipment() {
    return new Commands.CancelShipment(id());
  }

  PlaceOrder paid(OrderReply.PaymentProcessed reply) {
    return with(order.notePayment(Payment.processed(reply.paymentId(), reply.gatewayReference())));
  }

  PlaceOrder declined(OrderReply.PaymentDeclined reply) {
    return with(order.notePayment(Payment.declined()));
  }

  PlaceOrder refunded(OrderReply.PaymentRefunded reply) {
    return with(order.noteRefund());
  }

  PlaceOrder shipped(OrderReply.ShipmentArranged reply) {
    return with(order.noteShipment(Shipment.arranged(reply.shipmentId(), reply.trackingNumber())));
  }

  PlaceOrder rejected(OrderReply.ShipmentRejected reply) {
    return with(order.noteShipment(Shipment.rejected()));
  }

  PlaceOrder shipmentCancelled(OrderReply.ShipmentCancelled reply) {
    return with(order.noteShipmentCancelled());
  }

  PlaceOrder confirm() {
    return with(order.confirm()).raise(new OrderEvent.OrderConfirmed(id()));
  }

  PlaceOrder cancelled(String reason) {
    return with(order.cancel(reason)).raise(new OrderEvent.OrderCancelled(id(), reason));
  }

  Optional<String> checkOrder(OrderReply reply) {
    return compare(reply).difference();
  }

  Optional<String> checkCharge(OrderReply.PaymentProcessed reply) {
    return compare(reply)
        .and("amount", order.totalAmount(), reply.amount())
        .and("currency", order.currency(), reply.currency())
        .difference();
  }

  /** A refund gives back all that was charged, or nothing where nothing was. */
  Optional<String> checkRefund(OrderReply.PaymentRefunded reply) {
    ReplyFacts facts = compare(reply);
    return reply.amount() == 0
        ? facts.difference()
        : facts.and("amount", order.totalAmount(), reply.amount()).difference();
  }

  private ReplyFacts compare(OrderReply reply) {
    return ReplyFacts.compare("order", id(), reply.orderId());
  }

  private PlaceOrder with(Order changed) {
    return new PlaceOrder(changed, raised);
  }

  private PlaceOrder raise(OrderEvent event) {
    return new PlaceOrder(order, Stream.concat(raised.stream(), Stream.of(event)).toList());
  }
}
