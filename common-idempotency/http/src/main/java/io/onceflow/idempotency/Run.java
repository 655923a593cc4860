package io.onceflow.idempotency;

/** How a guarded method runs in one of the modes. */
interface Run {

  /**
   * Claims the key, and runs the method if the claim is won.
   *
   * @param flight is told what the claim found, and the answer if it is kept
   * @throws Exception whatever the method throws; nothing of it is kept then
   */
  Attempt tryTo(
      ClaimRequest request, GuardedRequest guarded, GuardedMethod method, InFlightRequest flight)
      throws Exception;
}
