package io.onceflow.stripe;

import com.stripe.model.PaymentIntent;
import org.jspecify.annotations.Nullable;

/**
 * A payment that waits for its customer or for the bank.
 *
 * @param reference what is paid
 * @param status Stripe's, such as {@code requires_action}, {@code processing} or {@code succeeded}
 * @param clientSecret with which the customer's browser confirms the payment by Stripe.js; null
 *     unless the customer has to
 */
public record StripePendingPayment(String reference, String status, @Nullable String clientSecret) {

  static StripePendingPayment of(String reference, PaymentIntent intent) {
    String status = intent.getStatus();
    return new StripePendingPayment(
        reference, status, needsCustomer(status) ? intent.getClientSecret() : null);
  }

  private static boolean needsCustomer(String status) {
    return status.equals("requires_action") || status.equals("requires_confirmation");
  }

  /** Without the client secret. */
  @Override
  public String toString() {
    return "%s is %s".formatted(reference, status);
  }
}
