package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import java.time.Duration;

/**
 * A request to claim a key.
 *
 * @param key under which it wants to run
 * @param fingerprint of the whole request
 * @param operation that it wants to run
 * @param mode whether the claim joins the caller's transaction or commits at once
 * @param lease how long the claim is valid after its last renewal
 * @param retention how long its answer is stored, from its completion on
 */
public record ClaimRequest(
    ScopedKey key,
    Fingerprint fingerprint,
    String operation,
    Idempotent.Mode mode,
    Duration lease,
    Duration retention) {

  /** True for a claim that commits before its method runs. */
  public boolean isLeased() {
    return mode == Idempotent.Mode.LEASED;
  }
}
