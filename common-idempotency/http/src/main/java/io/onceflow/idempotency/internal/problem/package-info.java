/** Problem details (RFC 9457) of the guard, and the pages that explain them. */
@NullMarked
package io.onceflow.idempotency.internal.problem;

import org.jspecify.annotations.NullMarked;
