package io.onceflow.idempotency;

import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** What the filter has read of a guarded request, for the interceptor behind it. */
@RequestScoped
class GuardedRequest {

  private @Nullable IdempotencyKey key;
  private @Nullable Fingerprint fingerprint;
  private String path = "";

  void read(IdempotencyKey key, Fingerprint fingerprint, String path) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.path = path;
  }

  IdempotencyKey key() {
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
