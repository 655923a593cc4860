/** What gateways and carriers have in common about money that they do not give back. */
@NullMarked
package io.onceflow.reconciliation.internal.refund;

import org.jspecify.annotations.NullMarked;
