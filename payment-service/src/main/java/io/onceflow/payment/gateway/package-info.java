/** The simulated payment gateway, with books of its own. */
@NullMarked
package io.onceflow.payment.gateway;

import org.jspecify.annotations.NullMarked;
