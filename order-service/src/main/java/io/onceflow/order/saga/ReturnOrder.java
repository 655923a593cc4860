package io.onceflow.order.saga;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An order in transit back: what each step asks of others, and what each answer means. The saga is
 * about the return, not the order, since an order may see more than one.
 *
 * @param wish the return as it stands
 * @param order the order that is given back
 * @param raised events that are to be told when this is saved
 */
record ReturnOrder(OrderReturn wish, Order order, List<OrderEvent> raised) {

  ReturnOrder {
    raised = List.copyOf(raised);
  }

  /** A return that was just asked for, or read back. */
  static ReturnOrder of(OrderReturn wish, Order order) {
    return new ReturnOrder(wish, order, List.of());
  }

  UUID id() {
    return wish.id();
  }

  /** Whether the order is given back, and its row is to say so. */
  boolean isCompleted() {
    return wish.status() == OrderReturn.Status.COMPLETED;
  }

  Commands.ArrangeReturn arrangeReturn() {
    return new Commands.ArrangeReturn(
        id(), order.id(), Commands.Parcel.of(order.items()), order.shippingAddress());
  }

  Commands.CancelReturn cancelReturn() {
    return new Commands.CancelReturn(id(), order.id());
  }

  Commands.ReturnPayment returnPayment() {
    return new Commands.ReturnPayment(order.id());
  }

  ReturnOrder arranged(OrderReply.ReturnArranged reply) {
    return with(wish.noteArranged(reply.trackingNumber()), order);
  }

  /** The reason comes with the end, when all is undone. */
  ReturnOrder refused(OrderReply.ReturnRejected reply) {
    return this;
  }

  ReturnOrder cancelled(OrderReply.ReturnCancelled reply) {
    return with(wish.noteCancelled(), order);
  }

  ReturnOrder refunded(OrderReply.PaymentReturned reply) {
    return with(wish.noteRefund(reply.amount()), order.noteRefund());
  }

  ReturnOrder accept() {
    return with(wish.accept(), order);
  }

  ReturnOrder complete() {
    return with(wish.complete(), order.markReturned())
        .raise(new OrderEvent.OrderReturned(order.id(), id()));
  }

  /** The order stays as it is: it was shipped and paid for, and still is. */
  ReturnOrder rejected(String reason) {
    return with(wish.reject(reason), order);
  }

  Optional<String> checkReturn(OrderReply.OfReturn reply) {
    return ReplyFacts.compare("order", order.id(), reply.orderId())
        .and("return", id(), reply.returnId())
        .difference();
  }

  Optional<String> checkRefund(OrderReply.PaymentReturned reply) {
    return ReplyFacts.compare("order", order.id(), reply.orderId())
        .and("amount", order.totalAmount(), reply.amount())
        .difference();
  }

  private ReturnOrder with(OrderReturn changedWish, Order changedOrder) {
    return new ReturnOrder(changedWish, changedOrder, raised);
  }

  private ReturnOrder raise(OrderEvent event) {
    return new ReturnOrder(wish, order, Stream.concat(raised.stream(), Stream.of(event)).toList());
  }
}
