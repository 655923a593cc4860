package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;

/**
 * A claim whose owner died, taken over by the recovery sweep.
 *
 * @param ownership under which the sweep acts
 * @param isAccepted true if the caller was answered 202 and expects the work to be done
 */
public record ClaimTakenOver(Ownership ownership, boolean isAccepted) {

  /** The claimed key. */
  public ScopedKey key() {
    return ownership.key();
  }
}
