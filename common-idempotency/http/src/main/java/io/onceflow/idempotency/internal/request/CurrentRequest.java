package io.onceflow.idempotency.internal.request;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.GuardedRequest.SharedWrite;
import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.execution.SharedItems;
import jakarta.enterprise.context.RequestScoped;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current guarded request; the filter sets its fields, the guard reads them. */
@RequestScoped
public class CurrentRequest implements GuardedRequest {

  private @Nullable IdempotencyKey key;
  private @Nullable Fingerprint fingerprint;
  private Optional<Duration> preferredWait = Optional.empty();
  private String path = "";
  private @Nullable Lease lease;
  private @Nullable SharedItems items;
  private boolean hasReachedGuard;

  void read(
      IdempotencyKey key, Fingerprint fingerprint, String path, Optional<Duration> preferredWait) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.path = path;
    this.preferredWait = preferredWait;
  }

  /** Marks that the guard runs, so that it decides the answer. */
  public void reachedGuard() {
    hasReachedGuard = true;
  }

  /** True if key and body were read, and the request was refused before the guard ran. */
  public boolean isRefusedBeforeGuard() {
    return fingerprint != null && !hasReachedGuard;
  }

  public void run(Lease lease) {
    this.lease = lease;
  }

  @Override
  public IdempotencyKey key() {
    return require(key);
  }

  @Override
  public Lease lease() {
    if (lease == null) {
      throw new IllegalStateException(
          "there is a lease only within a method that is @Idempotent(mode = LEASED)");
    }
    return lease;
  }

  @Override
  public <T> void write(SharedWrite<T> writer, T item) {
    if (items == null) {
      throw new IllegalStateException(
          "items are written this way only within a method that is @Idempotent(mode = SHARED)");
    }
    items.add(writer, item);
  }

  @Override
  public void requireTransactional() {
    if (items != null || lease != null) {
      throw new IllegalStateException(
          "this method is @Idempotent(mode = %s), whose transaction is not the method's; make it"
                  .formatted(items != null ? "SHARED" : "LEASED")
              + " @Idempotent, or write in the transaction of that mode");
    }
  }

  /** Starts to collect the items of {@link #write}. */
  public SharedItems gather() {
    SharedItems fresh = new SharedItems();
    items = fresh;
    return fresh;
  }

  /** How long the caller would wait for a running request ({@code Prefer: wait}, RFC 7240). */
  public Optional<Duration> preferredWait() {
    return preferredWait;
  }

  public Fingerprint fingerprint() {
    return require(fingerprint);
  }

  public String path() {
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
