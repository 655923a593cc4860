package io.onceflow.stripe;

/**
 * The result of a request to Stripe is unknown, or Stripe did not carry it out. The request is to
 * be made again under the same key.
 */
public final class StripeUnavailable extends RuntimeException {

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
