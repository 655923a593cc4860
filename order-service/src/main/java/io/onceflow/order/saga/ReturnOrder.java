package io.onceflow.order.saga;

import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.saga.OutgoingCommand;
import io.onceflow.saga.Reply;
import io.onceflow.saga.SagaSubject;
import io.onceflow.saga.runtime.ReplyFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An order on its way back: what each step asks of others, and what each answer means. The saga is
 * about the return, not the order, since an order may see more than one.
 *
 * @param wish the return as it stands
 * @param order the order that is given back
 * @param raised events that are to be told when this is saved
 */
record ReturnOrder(OrderReturn wish, Order order, List<OrderEvent> raised)
    implements SagaSubject<ReturnOrder> {

  ReturnOrder {
    raised = List.copyOf(raised);
  }

  /** A return that was just asked for, or read back. */
  static ReturnOrder of(OrderReturn wish, Order order) {
    return new ReturnOrder(wish, order, List.of());
  }

  @Override
  public UUID id() {
    return wish.id();
  }

  /** Whether the order is given back, and its row is to say so. */
  boolean isCompleted() {
    return wish.status() == OrderReturn.Status.COMPLETED;
  }

  OutgoingCommand arrangeReturn() {
    return new OutgoingCommand(
        "ArrangeReturn",
        "shipping.arrange-return",
        new Commands.ArrangeReturn(
            id(), order.id(), Commands.Parcel.of(order.items()), order.shippingAddress()));
  }

  OutgoingCommand cancelReturn() {
    return new OutgoingCommand(
        "CancelReturn", "shipping.cancel-return", new Commands.CancelReturn(id(), order.id()));
  }

  OutgoingCommand returnPayment() {
    return new OutgoingCommand(
        "ReturnPayment", "payment.return", new Commands.ReturnPayment(order.id()));
  }

  ReturnOrder accept() {
    return with(wish.accept(), order);
  }

  ReturnOrder complete() {
    return with(wish.complete(), order.markReturned())
        .raise(new OrderEvent.OrderReturned(order.id(), id()));
  }

  /** The order stays as it is: it was shipped and paid for, and still is. */
  @Override
  public ReturnOrder compensated(String reason) {
    return with(wish.reject(reason), order);
  }

  @Override
  public ReturnOrder noted(Reply reply) {
    return switch ((ReturnReply) reply) {
      case ReturnReply.ReturnArranged r -> with(wish.noteArranged(r.trackingNumber()), order);
      case ReturnReply.ReturnRejected r -> this;
      case ReturnReply.ReturnCancelled r -> with(wish.noteCancelled(), order);
      case ReturnReply.PaymentReturned r -> with(wish.noteRefund(r.amount()), order.noteRefund());
    };
  }

  @Override
  public Optional<String> check(Reply reply) {
    ReturnReply answer = (ReturnReply) reply;
    ReplyFacts facts = ReplyFacts.compare("order", order.id(), answer.orderId());
    ReplyFacts compared =
        switch (answer) {
          case ReturnReply.ReturnArranged r -> facts.and("return", id(), r.returnId());
          case ReturnReply.ReturnRejected r -> facts.and("return", id(), r.returnId());
          case ReturnReply.ReturnCancelled r -> facts.and("return", id(), r.returnId());
          case ReturnReply.PaymentReturned r ->
              facts.and("amount", order.totalAmount(), r.amount());
        };
    return compared.difference();
  }

  private ReturnOrder with(OrderReturn changedWish, Order changedOrder) {
    return new ReturnOrder(changedWish, changedOrder, raised);
  }

  private ReturnOrder raise(OrderEvent event) {
    List<OrderEvent> all = new ArrayList<>(raised);
    all.add(event);
    return new ReturnOrder(wish, order, all);
  }
}
