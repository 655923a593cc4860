package io.onceflow.order.saga;

import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;

/** What becomes of the wish to give an order back. */
public sealed interface ReturnAnswer {

  /** Its saga takes it from here. */
  record Begun(OrderReturn wish) implements ReturnAnswer {}

  /** The customer has no such order. */
  record NoOrder() implements ReturnAnswer {}

  /** The order is not with the customer, or not any more. */
  record NotConfirmed(OrderStatus status) implements ReturnAnswer {}

  /**
   * The order is on its way back already.
   *
   * @param wish the return that is under way
   */
  record UnderWay(OrderReturn wish) implements ReturnAnswer {}
}
