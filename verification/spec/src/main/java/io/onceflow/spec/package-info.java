/** Specifications of the protocol in TLA+, and what runs TLC on them: see {@code docs/proof}. */
@NullMarked
package io.onceflow.spec;

import org.jspecify.annotations.NullMarked;
