/** Stripe as the payment gateway. */
@NullMarked
package io.onceflow.payment.stripe;

import org.jspecify.annotations.NullMarked;
