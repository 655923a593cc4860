/** The carriers: EasyPost, and the simulated one with a ledger of its own. */
@NullMarked
package io.onceflow.shipping.carrier;

import org.jspecify.annotations.NullMarked;
