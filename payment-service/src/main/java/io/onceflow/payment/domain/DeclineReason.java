package io.onceflow.payment.domain;

/** Why an order is not charged. The words are those of the message {@code PaymentDeclined}. */
public enum DeclineReason {
  /** The gateway would not charge, and says no more. */
  CARD_DECLINED,
  /** There is not enough money behind the payment method. */
  INSUFFICIENT_FUNDS,
  /** The refund came before the charge, or the charge has been given back already. */
  CANCELLED,
  /** The order has been charged another amount, under another root key. */
  ALREADY_PAID
}
