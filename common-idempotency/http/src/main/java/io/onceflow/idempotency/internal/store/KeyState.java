package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.Fingerprint;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key.
 *
 * @param fingerprint of the request under it; null where the claim is in an open transaction
 * @param response null while the request runs
 * @param createdAt when it was claimed, by the store's clock; null where the claim is in an open
 *     transaction
 * @param expiresAt when the key counts as unused again; null as {@code createdAt}
 */
public record KeyState(
    @Nullable Fingerprint fingerprint,
    @Nullable StoredResponse response,
    @Nullable Instant createdAt,
    @Nullable Instant expiresAt) {

  /** The state of a request that runs, and of which nothing else is known. */
  public static KeyState unseen() {
    return new KeyState(null, null, null, null);
  }
}
