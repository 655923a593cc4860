/** The simulated carrier, with books of its own. */
@NullMarked
package io.onceflow.shipping.carrier;

import org.jspecify.annotations.NullMarked;
