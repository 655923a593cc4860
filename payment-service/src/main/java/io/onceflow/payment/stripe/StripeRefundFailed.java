package io.onceflow.payment.stripe;

/** Stripe could not give the money back, and a repeat would not change that. */
final class StripeRefundFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what failed, of which key
   */
  StripeRefundFailed(String what) {
    super("Stripe: " + what + "; pay the customer otherwise, then resolve the saga");
  }
}
