/** The response side of the guard: what is stored, replayed, or refused as not replayable. */
@NullMarked
package io.onceflow.idempotency.internal.response;

import org.jspecify.annotations.NullMarked;
