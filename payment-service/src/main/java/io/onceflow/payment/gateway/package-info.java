/** The payment gateways: Stripe, and the simulated one with a ledger of its own. */
@NullMarked
package io.onceflow.payment.gateway;

import org.jspecify.annotations.NullMarked;
