package io.onceflow.idempotency.internal.request;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that runs in this process, and all equal ones that came meanwhile. The first one leads:
 * only it asks the store. The others get its result.
 */
public final class InFlightRequest implements AutoCloseable {

  /** Longer than a connection, a statement and its socket may take together. */
  private static final Duration FOUND_WITHIN = Duration.ofSeconds(15);

  private final CompletableFuture<Claim> found = new CompletableFuture<>();
  private final CompletableFuture<Optional<StoredResponse>> ended = new CompletableFuture<>();
  private final Consumer<InFlightRequest> whenClosed;
  private volatile @Nullable Claim latest;
  private volatile boolean isDeciding;
  private final long beganNanos = System.nanoTime();

  /**
   * @param whenClosed removes this, so that the next equal request leads
   */
  InFlightRequest(Consumer<InFlightRequest> whenClosed) {
    this.whenClosed = whenClosed;
  }

  /** Passes the result of a claim to the others. */
  public void found(Claim claim) {
    latest = claim;
    isDeciding = false;
    found.complete(claim);
  }

  /** Tells the others that the key is unused, and that the leader runs its method. */
  public void deciding() {
    found(new Claim.InProgress(age(), null, false));
    isDeciding = true;
  }

  /** Whether the leader runs its method, with a claim or before it claims. */
  public boolean isWon() {
    return isDeciding || latest instanceof Claim.Won;
  }

  /** Passes a failure of the store to the others. */
  public void failed(RuntimeException failure) {
    found.completeExceptionally(failure);
  }

  /** Passes the answer to the others. */
  public void answered(StoredResponse response) {
    ended.complete(Optional.of(response));
  }

  /**
   * The result of the leader's last claim. Waits for its first one.
   *
   * @throws IdempotencyUnusable if that takes longer than any statement may
   */
  public Claim awaitFound() throws InterruptedException {
    try {
      Claim first = found.get(FOUND_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      Claim now = latest;
      return now == null ? first : now;
    } catch (TimeoutException e) {
      throw new IdempotencyUnusable(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e);
    }
  }

  /**
   * Waits for the answer; empty if there is none because the leader failed, was refused, or ended
   * its wait.
   *
   * @throws TimeoutException if it takes longer
   */
  public Optional<StoredResponse> awaitAnswer(Duration atMost)
      throws InterruptedException, TimeoutException {
    try {
      return ended.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("this future is never completed exceptionally", e);
    }
  }

  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  /** Lets the next equal request lead, then releases those that wait. */
  @Override
  public void close() {
    whenClosed.accept(this);
    found.complete(Claim.InProgress.unseen());
    ended.complete(Optional.empty());
  }
}
