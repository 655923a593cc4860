package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import jakarta.ws.rs.core.Response;

/** The result of an attempt to run a guarded method. */
sealed interface ExecutionResult {

  /** It ran; this is its answer. */
  record Ran(Response response) implements ExecutionResult {}

  /** It did not run, because of another claim of the key. */
  record Conflict(Claim claim) implements ExecutionResult {}

  /** The store could not be asked; nothing was done. */
  record Unavailable(IdempotencyUnusable why) implements ExecutionResult {}

  /** The store did not confirm the commit in time: it may be done or not. */
  record Unknown(IdempotencyUnusable why) implements ExecutionResult {}
}
