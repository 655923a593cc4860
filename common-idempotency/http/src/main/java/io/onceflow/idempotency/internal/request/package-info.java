/** The request side of the guard: key, fingerprint, scope, and requests in flight. */
@NullMarked
package io.onceflow.idempotency.internal.request;

import org.jspecify.annotations.NullMarked;
