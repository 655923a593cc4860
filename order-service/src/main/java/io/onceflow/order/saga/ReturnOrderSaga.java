package io.onceflow.order.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;

import io.onceflow.saga.SagaDefinition;

/**
 * How an order is given back: the carrier is to fetch it, and then the money goes back. Money that
 * was given back is not asked for again, so that comes past the pivot and is tried until it is
 * done. Drawn in {@code docs/guide/saga.md}.
 */
public final class ReturnOrderSaga {

  static final String ARRANGE_RETURN = "arrange-return";
  static final String CANCEL_RETURN = "cancel-return";
  static final String RETURN_PAYMENT = "return-payment";

  /** The definition, version 1. */
  static final SagaDefinition<ReturnOrder> DEFINITION =
      saga(
          "return-order",
          1,
          step(ARRANGE_RETURN)
              .send(ReturnOrder::arrangeReturn)
              .compensateWith(CANCEL_RETURN, ReturnOrder::cancelReturn)
              .replyWithin(ofSeconds(10)),
          pivot("accept-return").run(ReturnOrder::accept),
          step(RETURN_PAYMENT).send(ReturnOrder::returnPayment).replyWithin(ofSeconds(10)),
          step("complete-return").run(ReturnOrder::complete));

  private ReturnOrderSaga() {}
}
