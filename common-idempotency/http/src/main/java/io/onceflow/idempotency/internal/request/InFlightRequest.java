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
 * One request on its way through the guard, and all equal ones that came to this process meanwhile.
 * The first leads: it alone asks the store. The others get what it finds.
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
   * @param whenClosed lets the next equal request lead
   */
  InFlightRequest(Consumer<InFlightRequest> whenClosed) {
    this.whenClosed = whenClosed;
  }

  /** Tells the others what stands under the key, or what has come to stand there meanwhile. */
  public void found(Claim claim) {
    latest = claim;
    isDeciding = false;
    found.complete(claim);
  }

  /** Tells the others that nothing stands under the key, and that the leader decides. */
  public void deciding() {
    found(new Claim.InProgress(age(), null, false));
    isDeciding = true;
  }

  /** Whether the leader runs: it owns the claim, or decides before it claims. */
  public boolean isWon() {
    return isDeciding || latest instanceof Claim.Won;
  }

  /** Tells the others that the store could not be asked. */
  public void failed(RuntimeException failure) {
    found.completeExceptionally(failure);
  }

  /** Tells the others the answer. */
  public void answered(StoredResponse response) {
    ended.complete(Optional.of(response));
  }

  /**
   * What the leader found when it last looked. Blocks no longer than its first question to the
   * store does.
   *
   * @throws IdempotencyUnusable when that takes longer than any statement may
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
   * The answer, once it is there; empty when there is none: the leader failed, was refused, or lost
   * its patience.
   *
   * @throws TimeoutException when it takes longer
   */
  public Optional<StoredResponse> awaitAnswer(Duration atMost)
      throws InterruptedException, TimeoutException {
    try {
      return ended.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a flight never ends by an exception", e);
    }
  }

  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  /** Lets the next equal request lead, then lets all go who wait. */
  @Override
  public void close() {
    whenClosed.accept(this);
    found.complete(Claim.InProgress.unseen());
    ended.complete(Optional.empty());
  }
}
