package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A {@link Lease} with what the guard does about it. */
public final class ActiveLease implements Lease {

  private final Ownership own;
  private final IdempotencyStore store;
  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Rendering rendering;
  private volatile boolean isLost;
  private volatile boolean isEnding;
  private boolean isKept;
  private @Nullable StoredResponse completed;
  private @Nullable Work background;
  private @Nullable Response acceptance;

  ActiveLease(
      Ownership own,
      IdempotencyStore store,
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Rendering rendering) {
    this.own = own;
    this.store = store;
    this.keeper = keeper;
    this.transaction = transaction;
    this.rendering = rendering;
  }

  /** Turns an answer into what is stored; refuses what cannot be. */
  @FunctionalInterface
  interface Rendering {
    StoredResponse render(@Nullable Response response);
  }

  @Override
  public ScopedKey key() {
    return own.key();
  }

  @Override
  public Fingerprint fingerprint() {
    return own.request().fingerprint();
  }

  @Override
  public boolean isTakenOver() {
    return own.isTakenOver();
  }

  @Override
  public boolean isLost() {
    return isLost;
  }

  @Override
  public <T> T write(Callable<T> work) throws Exception {
    requireIncomplete();
    try {
      return transaction.call(
          own.key(),
          () -> {
            store.fence(own);
            return work.call();
          });
    } catch (LeaseLost e) {
      isLost = true;
      throw e;
    }
  }

  @Override
  public Response complete(Callable<Response> work) throws Exception {
    requireIncomplete();
    transaction.begin();
    try {
      StoredResponse response = rendering.render(work.call());
      if (response.isSuccess()) {
        isEnding = true;
        keeper.keepAndCommit(own, response);
        isKept = true;
      }
      completed = response;
      return response.first();
    } catch (LeaseLost e) {
      isLost = true;
      throw e;
    } finally {
      isEnding = isKept;
      transaction.rollBackIfOpen();
    }
  }

  @Override
  public Response goOnInBackground(Work work) {
    requireIncomplete();
    Response accepted = Response.accepted().build();
    background = work;
    acceptance = accepted;
    return accepted;
  }

  private void requireIncomplete() {
    if (isKept) {
      throw new IllegalStateException(
          "key %s (%s): its answer is kept already, so nothing can be done under its lease any more"
              .formatted(own.key(), own.request().operation()));
    }
  }

  Ownership ownership() {
    return own;
  }

  /** Whether the loss is news; a claim that is just being completed is not lost. */
  boolean lose() {
    isLost = !isEnding;
    return isLost;
  }

  StoredResponse render(@Nullable Response response) {
    return rendering.render(response);
  }

  /** Keeps an answer beside which nothing was written. */
  public void keep(StoredResponse response) {
    isEnding = true;
    try {
      keeper.keepAlone(own, response);
      isKept = true;
      completed = response;
    } finally {
      isEnding = isKept;
    }
  }

  /** What the work came to, so far. */
  public Optional<StoredResponse> completed() {
    return Optional.ofNullable(completed);
  }

  public boolean isKept() {
    return isKept;
  }

  /** What goes on, if this is the answer that promises it. */
  Optional<Work> promisedBy(@Nullable Response returned) {
    return returned == acceptance ? Optional.ofNullable(background) : Optional.empty();
  }
}
