package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;

/**
 * A claim that was won. Writes under it take effect only while its fencing token is that of the
 * record (rule 4).
 *
 * @param request the claim
 * @param token the fencing token, unique among all claims
 * @param isTakenOver true if the lease of an earlier owner expired, whose effects are unknown
 */
public record Ownership(ClaimRequest request, long token, boolean isTakenOver) {

  /** The claimed key. */
  public ScopedKey key() {
    return request.key();
  }

  /** The operation that it is for. */
  public String operation() {
    return request.operation();
  }

  /** For log lines. */
  @Override
  public String toString() {
    return "key %s (%s)".formatted(key(), operation());
  }
}
