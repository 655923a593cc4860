package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;

/**
 * A claim that is one's own for a while. What is written under it is written only while its fencing
 * token is the record's (rule 4).
 *
 * @param request what was claimed
 * @param token the number that no other owner of any record ever had or will have
 * @param isTakenOver true when an earlier owner let its lease end: what it did is unknown
 */
public record Ownership(ClaimRequest request, long token, boolean isTakenOver) {

  /** Under which it runs. */
  public ScopedKey key() {
    return request.key();
  }
}
