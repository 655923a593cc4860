/** A test double of Stripe, which behaves as Stripe documents it. */
@NullMarked
package io.onceflow.stripedouble;

import org.jspecify.annotations.NullMarked;
