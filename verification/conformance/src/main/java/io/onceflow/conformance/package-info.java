/**
 * A conformance suite for sagas. It starts sagas of a product, decides what each participant does,
 * counts effects in a ledger that is not the product's, and says which scenarios hold.
 */
@NullMarked
package io.onceflow.conformance;

import org.jspecify.annotations.NullMarked;
