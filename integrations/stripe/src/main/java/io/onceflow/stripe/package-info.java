/** Payments by Stripe: charges and refunds once under a step's key, and Stripe's webhooks. */
@NullMarked
package io.onceflow.stripe;

import org.jspecify.annotations.NullMarked;
