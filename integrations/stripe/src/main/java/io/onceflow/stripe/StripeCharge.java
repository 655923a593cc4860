package io.onceflow.stripe;

/**
 * What is to be charged.
 *
 * @param amount in the minor unit of ISO 4217, positive
 * @param currency ISO 4217, three capital letters
 * @param paymentMethod Stripe's token for it, {@code pm_…}; never a card's number
 * @param reference what is paid, such as an order's id; it is shown in Stripe's dashboard
 * @param mayWait whether the charge may stay pending until the customer has confirmed it or the
 *     bank has settled it; if not, a payment that needs the customer is declined
 */
public record StripeCharge(
    long amount, String currency, String paymentMethod, String reference, boolean mayWait) {}
