package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@link Lease} of a run, with what only the guard may do. */
public final class ActiveLease implements Lease {

  private final Ownership own;
  private final IdempotencyStore store;
  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Function<@Nullable Response, StoredResponse> rendering;
  private volatile boolean isLost;
  private volatile boolean isEnding;
  private boolean isKept;
  private boolean hasWritten;
  private @Nullable StoredResponse completed;
  private @Nullable Work background;
  private @Nullable Response acceptance;

  /**
   * @param rendering turns an answer into what is stored, and refuses what cannot be
   */
  ActiveLease(
      Ownership own,
      IdempotencyStore store,
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Function<@Nullable Response, StoredResponse> rendering) {
    this.own = own;
    this.store = store;
    this.keeper = keeper;
    this.transaction = transaction;
    this.rendering = rendering;
  }

  @Override
  public String scope() {
    return own.key().scope();
  }

  @Override
  public IdempotencyKey key() {
    return own.key().key();
  }

  @Override
  public String fingerprint() {
    return own.request().fingerprint().hex();
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
            T result = work.call();
            hasWritten = true; // or may have, should the commit fail
            return result;
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
      StoredResponse response = rendering.apply(work.call());
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
          own + ": its answer is stored already, so its lease has ended");
    }
  }

  Ownership ownership() {
    return own;
  }

  /** Marks the lease as lost, unless it is just being completed; returns whether it is lost. */
  boolean lose() {
    isLost = !isEnding;
    return isLost;
  }

  StoredResponse render(@Nullable Response response) {
    return rendering.apply(response);
  }

  /** Stores an answer without business writes. */
  void keep(StoredResponse response) {
    isEnding = true;
    try {
      keeper.keepAlone(own, response);
      isKept = true;
      completed = response;
    } finally {
      isEnding = isKept;
    }
  }

  /**
   * Stores the answer of work whose caller was answered 202, or is gone: a refusal as well,
   * whatever the policy.
   *
   * @throws IllegalStateException if there is none, or it is a failure, which is no outcome
   */
  public void keepOutcome() {
    if (completed == null) {
      throw new IllegalStateException("the work ended without lease.complete(…)");
    }
    if (completed.isFailure()) {
      throw new IllegalStateException("its answer has status " + completed.status());
    }
    if (!isKept) {
      keep(completed);
    }
  }

  /** The answer of {@link #complete}, if it was called. */
  Optional<StoredResponse> completed() {
    return Optional.ofNullable(completed);
  }

  boolean isKept() {
    return isKept;
  }

  /** Whether something may be stored by {@link #write} that is not completed. */
  boolean hasWritten() {
    return hasWritten;
  }

  /** The background work, if this is the answer of {@link #goOnInBackground}. */
  Optional<Work> promisedBy(@Nullable Response returned) {
    return returned == acceptance ? Optional.ofNullable(background) : Optional.empty();
  }
}
