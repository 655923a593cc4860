package io.onceflow.payment.domain;

import io.onceflow.participant.Answer.Rejection;

/** Why an order is not charged. The words are those of the message {@code PaymentDeclined}. */
public enum DeclineReason {
  /** The gateway would not charge, and says no more. */
  CARD_DECLINED,
  /** There is not enough money behind the payment method. */
  INSUFFICIENT_FUNDS,
  /** The refund came before the charge, or the charge has been given back already. */
  CANCELLED,
  /** The order has been charged another amount, under another root key. */
  ALREADY_PAID,
  /** The command came too late: nothing was charged, and nothing will be. */
  EXPIRED,
  /** The gateway gave no final answer, so it may have charged. The saga compensates by a refund. */
  UNAVAILABLE;

  /** The reason of a command that is not handled. */
  public static DeclineReason of(Rejection why) {
    return switch (why) {
      case CANCELLED -> CANCELLED;
      case EXPIRED -> EXPIRED;
      case UNAVAILABLE -> UNAVAILABLE;
    };
  }
}
