package io.onceflow.order.saga;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.Payment;
import io.onceflow.order.domain.Shipment;
import io.onceflow.saga.OutgoingCommand;
import io.onceflow.saga.Reply;
import io.onceflow.saga.SagaSubject;
import io.onceflow.saga.runtime.ReplyFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An order on its way: what each step asks of others, and what each answer means for the order.
 *
 * @param order as it stands
 * @param raised events that are to be told when this is saved
 */
record PlaceOrder(Order order, List<OrderEvent> raised) implements SagaSubject<PlaceOrder> {

  PlaceOrder {
    raised = List.copyOf(raised);
  }

  /** An order about to be placed; tells that it was. */
  static PlaceOrder created(Order order) {
    OrderEvent created =
        new OrderEvent.OrderCreated(
            order.id(), order.customer(), order.totalAmount(), order.currency(), order.items());
    return new PlaceOrder(order, List.of(created));
  }

  /** An order read back. */
  static PlaceOrder of(Order order) {
    return new PlaceOrder(order, List.of());
  }

  @Override
  public UUID id() {
    return order.id();
  }

  OutgoingCommand processPayment() {
    return new OutgoingCommand(
        "ProcessPayment",
        "payment.process",
        new Commands.ProcessPayment(
            id(), order.totalAmount(), order.currency(), order.paymentMethod()));
  }

  OutgoingCommand refundPayment() {
    return new OutgoingCommand("RefundPayment", "payment.refund", new Commands.RefundPayment(id()));
  }

  OutgoingCommand arrangeShipment() {
    return new OutgoingCommand(
        "ArrangeShipment",
        "shipping.arrange",
        new Commands.ArrangeShipment(
            id(), Commands.Parcel.of(order.items()), order.shippingAddress()));
  }

  OutgoingCommand cancelShipment() {
    return new OutgoingCommand(
        "CancelShipment", "shipping.cancel", new Commands.CancelShipment(id()));
  }

  PlaceOrder confirm() {
    return with(order.confirm()).raise(new OrderEvent.OrderConfirmed(id()));
  }

  @Override
  public PlaceOrder compensated(String reason) {
    return with(order.cancel(reason)).raise(new OrderEvent.OrderCancelled(id(), reason));
  }

  @Override
  public PlaceOrder noted(Reply reply) {
    return with(
        switch ((OrderReply) reply) {
          case OrderReply.PaymentProcessed p ->
              order.notePayment(Payment.processed(p.paymentId(), p.gatewayReference()));
          case OrderReply.PaymentDeclined p -> order.notePayment(Payment.declined());
          case OrderReply.PaymentRefunded p -> order.noteRefund();
          case OrderReply.ShipmentArranged s ->
              order.noteShipment(Shipment.arranged(s.shipmentId(), s.trackingNumber()));
          case OrderReply.ShipmentRejected s -> order.noteShipment(Shipment.rejected());
          case OrderReply.ShipmentCancelled s -> order.noteShipmentCancelled();
        });
  }

  /** A refund gives back all that was charged, or nothing where nothing was. */
  @Override
  public Optional<String> check(Reply reply) {
    OrderReply answer = (OrderReply) reply;
    ReplyFacts facts = ReplyFacts.compare("order", id(), answer.orderId());
    return switch (answer) {
      case OrderReply.PaymentProcessed p ->
          facts
              .and("amount", order.totalAmount(), p.amount())
              .and("currency", order.currency(), p.currency())
              .difference();
      case OrderReply.PaymentRefunded p when p.amount() != 0 ->
          facts.and("amount", order.totalAmount(), p.amount()).difference();
      default -> facts.difference();
    };
  }

  private PlaceOrder with(Order changed) {
    return new PlaceOrder(changed, raised);
  }

  private PlaceOrder raise(OrderEvent event) {
    List<OrderEvent> all = new ArrayList<>(raised);
    all.add(event);
    return new PlaceOrder(order, all);
  }
}
