package io.onceflow.stripe;

/** Stripe could not refund, and a repeat would not change that: the bank refused the money. */
public final class StripeRefundFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what failed, of which key
   */
  StripeRefundFailed(String what) {
    super("Stripe: " + what + "; pay the customer in another way, then resolve the saga");
  }
}
