package io.onceflow.stripe;

import java.time.Duration;

/** The outcome of a charge. */
public sealed interface StripeOutcome {

  /**
   * The customer was charged.
   *
   * @param intent the id of the payment intent
   */
  record Charged(String intent) implements StripeOutcome {}

  /**
   * The customer was not charged and will not be.
   *
   * @param code Stripe's decline code, such as {@code insufficient_funds}, or its error code
   */
  record Declined(String code) implements StripeOutcome {}

  /** The charge was given up before; see {@link StripePayments#annul}. */
  record GivenUp() implements StripeOutcome {}

  /**
   * The customer has to confirm the charge, or the bank to settle it. The same charge, requested
   * again under the same key, tells the outcome of it.
   *
   * @param intent the id of the payment intent
   * @param status of it, such as {@code requires_action} or {@code processing}
   * @param lookAgainAfter when to ask again, should no event of Stripe come before
   */
  record Pending(String intent, String status, Duration lookAgainAfter) implements StripeOutcome {}
}
