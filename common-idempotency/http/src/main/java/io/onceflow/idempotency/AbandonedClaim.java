package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Ownership;

/**
 * A claim whose owner died, taken over by the recovery sweep.
 *
 * @param ownership under which the resolver acts
 * @param isAccepted true when the caller was told 202 and counts on the work being done
 */
public record AbandonedClaim(Ownership ownership, boolean isAccepted) {

  /** Whose it is. */
  public ScopedKey key() {
    return ownership.key();
  }
}
