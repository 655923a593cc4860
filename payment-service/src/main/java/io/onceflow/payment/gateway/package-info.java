/** The simulated payment gateway, with a ledger of its own. */
@NullMarked
package io.onceflow.payment.gateway;

import org.jspecify.annotations.NullMarked;
