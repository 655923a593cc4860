package io.onceflow.idempotency;

import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/**
 * The guarded request that is being answered. Inject it to learn its key, the root of the step keys
 * of everything that follows from the request.
 */
@RequestScoped
public class GuardedRequest {

  private @Nullable IdempotencyKey key;
  private @Nullable Fingerprint fingerprint;
  private String path = "";

  void read(IdempotencyKey key, Fingerprint fingerprint, String path) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.path = path;
  }

  /**
   * The client's key.
   *
   * @throws IllegalStateException outside of a guarded method
   */
  public IdempotencyKey key() {
    return require(key);
  }

  Fingerprint fingerprint() {
    return require(fingerprint);
  }

  String path() {
    return path;
  }

  private static <T> T require(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException(
          "@Idempotent guards JAX-RS methods called over HTTP; this call did not come that way");
    }
    return value;
  }
}
