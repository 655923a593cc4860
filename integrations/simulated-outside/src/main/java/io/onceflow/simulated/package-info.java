/**
 * External systems that fail on demand. Each keeps a ledger in a schema of its own, written in its
 * own transactions as a foreign system would, so that an effect that was caused twice shows.
 */
@NullMarked
package io.onceflow.simulated;

import org.jspecify.annotations.NullMarked;
