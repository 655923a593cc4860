package io.onceflow.idempotency;

import jakarta.enterprise.context.RequestScoped;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The guarded request that is being answered. Inject it to learn its key, the root of the step keys
 * of everything that follows from the request.
 */
@RequestScoped
public class GuardedRequest {

  private @Nullable IdempotencyKey key;
  private @Nullable Fingerprint fingerprint;
  private Optional<Duration> preferredWait = Optional.empty();
  private String path = "";
  private @Nullable Lease lease;

  void read(
      IdempotencyKey key, Fingerprint fingerprint, String path, Optional<Duration> preferredWait) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.path = path;
    this.preferredWait = preferredWait;
  }

  void run(Lease lease) {
    this.lease = lease;
  }

  /**
   * The client's key.
   *
   * @throws IllegalStateException outside of a guarded method
   */
  public IdempotencyKey key() {
    return require(key);
  }

  /**
   * The lease under which the method runs.
   *
   * @throws IllegalStateException where the method is not {@code @Idempotent(mode = LEASED)}
   */
  public Lease lease() {
    if (lease == null) {
      throw new IllegalStateException(
          "there is a lease only within a method that is @Idempotent(mode = LEASED)");
    }
    return lease;
  }

  /** How long the caller would wait for a running request ({@code Prefer: wait}, RFC 7240). */
  Optional<Duration> preferredWait() {
    return preferredWait;
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
