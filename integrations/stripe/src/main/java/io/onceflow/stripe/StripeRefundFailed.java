package io.onceflow.stripe;

import io.onceflow.stripe.StripeRefundTable.Stored;
import org.jspecify.annotations.Nullable;

/**
 * Stripe does not refund: the charge is disputed or still processed, the balance does not suffice,
 * or the bank sent the money back. A refund that the bank sent back is requested again only when an
 * operator says so.
 */
public final class StripeRefundFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String code;

  /**
   * @param code Stripe's
   */
  StripeRefundFailed(Stored refund, String code, @Nullable String what) {
    super(
        ("Stripe: the refund %1$s of %2$s (%3$s) failed, %4$s: %5$s; remove the cause and retry it"
                + " (POST /stripe/refunds/%1$s/retry), or pay the customer in another way and"
                + " resolve it (POST /stripe/refunds/%1$s/resolve)")
            .formatted(refund.key(), refund.reference(), refund.intent(), code, what));
    this.code = code;
  }

  /**
   * @param code why there is nothing to refund yet
   */
  StripeRefundFailed(String code, String what) {
    super("Stripe: " + what);
    this.code = code;
  }

  /** Stripe's code for the refusal, or its reason for the failure. */
  public String code() {
    return code;
  }
}
