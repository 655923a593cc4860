package io.onceflow.payment.stripe;

/**
 * What became of a request to Stripe is not known, or it was not looked at. It is made again under
 * the same key.
 */
final class StripeUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what happened, to which key
   */
  StripeUnavailable(String what) {
    super("Stripe: " + what);
  }

  /**
   * @param what happened, to which key
   */
  StripeUnavailable(String what, Exception cause) {
    super("Stripe: %s: %s".formatted(what, cause.getMessage()), cause);
  }
}
