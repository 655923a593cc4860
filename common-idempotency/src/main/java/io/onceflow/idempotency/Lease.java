package io.onceflow.idempotency;

import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The claim of a leased operation that runs. It is renewed as long as the process lives; should it
 * end all the same (a process that stood still, a database that was away), another request may take
 * the work over, and from then on nothing can be written under this one.
 *
 * <p>A lease belongs to one run; its methods may be called from any one thread at a time.
 */
public final class Lease {

  private final Ownership own;
  private final IdempotencyStore store;
  private final Keeper keeper;
  private final JtaTransaction transaction;
  private final Rendering rendering;
  private volatile boolean isLost;
  private volatile boolean isEnding;
  private boolean isKept;
  private @Nullable StoredResponse completed;
  private @Nullable Work background;

  Lease(
      Ownership own,
      IdempotencyStore store,
      Keeper keeper,
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

  /** What goes on in the background. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does it, and ends with {@link Lease#complete}. Throwing leaves the claim to the recovery
     * sweep, or frees the key where the operation has no {@link AbandonedClaimResolver}.
     */
    void run(Lease lease) throws Exception;
  }

  /** The key under which the work runs. */
  public ScopedKey key() {
    return own.key();
  }

  /**
   * Of the request. Work that stores what it was asked for keeps it beside that, since the same key
   * may once come with another request.
   */
  public Fingerprint fingerprint() {
    return own.request().fingerprint();
  }

  /**
   * True when an earlier run of the same request let its lease end: what it wrote by {@link #write}
   * is there, and what it called outside may have happened.
   */
  public boolean isTakenOver() {
    return own.isTakenOver();
  }

  /**
   * True as soon as it is known that the lease was lost. Work that takes long may look, to stop
   * early; {@link #write} and {@link #complete} refuse in any case.
   */
  public boolean isLost() {
    return isLost;
  }

  /**
   * Writes in the midst of the work: in a JTA transaction of its own, which begins by renewing the
   * claim under its fencing token and keeps others from taking it over until it ends.
   *
   * @throws LeaseLost when the claim is another's by now; nothing was written
   */
  public <T> T write(Callable<T> work) throws Exception {
    return transaction.call(
        own.key(),
        () -> {
          store.fence(own);
          return work.call();
        });
  }

  /**
   * Ends the work: the last writes and the answer commit together, under the fencing token.
   *
   * <p>An answer of 5xx is a failure: it rolls the writes back and is not kept. So does one of 4xx,
   * which is kept where the operation's policy keeps refusals.
   *
   * @param work does the last writes and makes the answer
   * @return the answer; a guarded method returns it
   * @throws LeaseLost when the claim is another's by now; nothing was written
   */
  public Response complete(Callable<Response> work) throws Exception {
    transaction.begin();
    try {
      StoredResponse response = rendering.render(work.call());
      completed = response;
      if (!response.isFailure() && !response.isRefusal()) {
        isEnding = true;
        keeper.keepAndCommit(own, response);
        isKept = true;
      }
      return response.first();
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  /**
   * Answers 202 now and goes on in the background once the guarded method has returned. The caller
   * finds the outcome under {@code GET /idempotency-keys/<key>} or by repeating the request.
   *
   * @param work must not use what belongs to the request, such as request-scoped beans: the request
   *     will have ended
   * @return what the guarded method returns
   */
  public Response goOnInBackground(Work work) {
    background = work;
    return Response.accepted().build();
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
  void keep(StoredResponse response) {
    isEnding = true;
    keeper.keepAlone(own, response);
    isKept = true;
  }

  /** What {@link #complete} came to. */
  Optional<StoredResponse> completed() {
    return Optional.ofNullable(completed);
  }

  boolean isKept() {
    return isKept;
  }

  Optional<Work> background() {
    return Optional.ofNullable(background);
  }
}
