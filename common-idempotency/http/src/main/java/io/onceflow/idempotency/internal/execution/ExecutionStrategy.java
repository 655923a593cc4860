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
   * @param inFlight receives the result of the claim, and the answer if it is stored
   * @throws Exception whatever the method throws; nothing is stored then
   */
  ExecutionResult tryTo(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception;
}
