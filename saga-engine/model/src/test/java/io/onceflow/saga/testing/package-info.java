/** A saga's test as a dialogue: what happens to it, and what it says to that. */
@NullMarked
package io.onceflow.saga.testing;

import org.jspecify.annotations.NullMarked;
