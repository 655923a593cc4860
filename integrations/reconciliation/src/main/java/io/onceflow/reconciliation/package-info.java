/** Compares the books of a day: what we say we did, and what the other side says. */
@NullMarked
package io.onceflow.reconciliation;

import org.jspecify.annotations.NullMarked;
