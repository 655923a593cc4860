package io.onceflow.order.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.order.saga.Commands.ArrangeReturn;
import io.onceflow.order.saga.Commands.CancelReturn;
import io.onceflow.order.saga.Commands.ReturnPayment;
import io.onceflow.order.saga.OrderReply.PaymentReturned;
import io.onceflow.order.saga.OrderReply.ReturnArranged;
import io.onceflow.order.saga.OrderReply.ReturnCancelled;
import io.onceflow.order.saga.OrderReply.ReturnRejected;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * How an order is given back: the carrier is to fetch it, and then the money goes back. Money that
 * was given back is not requested again, so that comes past the pivot and is tried until it is
 * done. Drawn in {@code docs/guide/saga.md}.
 */
@ApplicationScoped
class ReturnOrderSaga implements Saga<ReturnOrder> {

  /** The definition, version 1. */
  static final SagaDefinition<ReturnOrder> DEFINITION =
      saga(
              "return-order",
              1,
              step("arrange-return")
                  .send(ArrangeReturn.class, ReturnOrder::arrangeReturn)
                  .compensateWith(CancelReturn.class, ReturnOrder::cancelReturn)
                  .on(ReturnArranged.class, ReturnOrder::checkReturn, ReturnOrder::arranged)
                  .on(ReturnRejected.class, ReturnOrder::checkReturn, ReturnOrder::refused)
                  .on(ReturnCancelled.class, ReturnOrder::checkReturn, ReturnOrder::cancelled),
              pivot("accept-return").run(ReturnOrder::accept),
              step("return-payment")
                  .send(ReturnPayment.class, ReturnOrder::returnPayment)
                  .on(PaymentReturned.class, ReturnOrder::checkRefund, ReturnOrder::refunded),
              step("complete-return").run(ReturnOrder::complete))
          .onCompensated(ReturnOrder::rejected);

  @Override
  public SagaDefinition<ReturnOrder> definition() {
    return DEFINITION;
  }
}
