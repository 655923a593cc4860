package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.store.ClaimRequest;

/** How a guarded method runs in one of the modes. */
interface ExecutionStrategy {

  /**
   * Claims the key, and runs the method if the claim is won.
   *
   * @param flight is told what the claim found, and the answer if it is kept
   * @throws Exception whatever the method throws; nothing of it is kept then
   */
  ExecutionResult tryTo(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest flight)
      throws Exception;
}
