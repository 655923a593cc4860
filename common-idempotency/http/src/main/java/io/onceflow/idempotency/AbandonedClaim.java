package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Ownership;

/**
 * A claim whose owner died, taken over by the recovery sweep.
 *
 * @param ownership under which the resolver acts
 * @param isAccepted true if the caller was answered 202 and expects the work to be done
 */
public record AbandonedClaim(Ownership ownership, boolean isAccepted) {

  /** The claimed key. */
  public ScopedKey key() {
    return ownership.key();
  }
}
