package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import jakarta.ws.rs.core.Response;

/** What came of trying to run a guarded method. */
sealed interface ExecutionResult {

  /** It ran, and this is for its caller. */
  record Ran(Response response) implements ExecutionResult {}

  /** Something stood under the key, so it did not run. */
  record Barred(Claim claim) implements ExecutionResult {}

  /** The store could not be asked, and for certain nothing was done. */
  record Unavailable(IdempotencyUnusable why) implements ExecutionResult {}

  /** The store did not tell in time what became of it: it may be done or not. */
  record Unknown(IdempotencyUnusable why) implements ExecutionResult {}
}
