/**
 * The HTTP {@code Idempotency-Key} guard: the first request with a key runs, every repeat gets its
 * answer.
 */
@NullMarked
package io.onceflow.idempotency;

import org.jspecify.annotations.NullMarked;
