/** What TLC finds is what {@code docs/proof} says. */
@NullMarked
package io.onceflow.spec;

import org.jspecify.annotations.NullMarked;
