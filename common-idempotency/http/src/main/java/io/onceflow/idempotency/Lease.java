package io.onceflow.idempotency;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.LeaseLost;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.Callable;

/**
 * The claim of a leased operation that runs. It is renewed as long as the process lives; should it
 * end all the same (a process that stood still, a database that was away), another request may take
 * the work over, and from then on nothing can be written under this one.
 *
 * <p>A lease belongs to one run; its methods may be called from any one thread at a time.
 */
public interface Lease {

  /** What goes on in the background. */
  @FunctionalInterface
  interface Work {

    /**
     * Does it, and ends with {@link Lease#complete}. Throwing leaves the claim to the recovery
     * sweep, or frees the key where the operation has no {@link AbandonedClaimResolver}.
     */
    void run(Lease lease) throws Exception;
  }

  /** The key under which the work runs. */
  ScopedKey key();

  /**
   * Of the request. Work that stores what it was asked for keeps it beside that, since the same key
   * may once come with another request.
   */
  Fingerprint fingerprint();

  /**
   * True when an earlier run of the same request let its lease end: what it wrote by {@link #write}
   * is there, and what it called outside may have happened.
   */
  boolean isTakenOver();

  /**
   * True as soon as it is known that the lease was lost. Work that takes long may look, to stop
   * early; {@link #write} and {@link #complete} refuse in any case.
   */
  boolean isLost();

  /**
   * Writes in the midst of the work: in a JTA transaction of its own, which begins by renewing the
   * claim under its fencing token and keeps others from taking it over until it ends. What it wrote
   * stays, whatever becomes of the work after that.
   *
   * @throws LeaseLost when the claim is another's by now; nothing was written
   * @throws IllegalStateException when the work is completed, or a transaction is open
   */
  <T> T write(Callable<T> work) throws Exception;

  /**
   * Ends the work: the last writes and the answer commit together, under the fencing token.
   *
   * <p>An answer of 5xx is a failure: it rolls the last writes back and is not kept. One of 4xx
   * rolls them back too, and is kept where the operation's policy keeps refusals, or where the
   * caller was told 202.
   *
   * @param work does the last writes and makes the answer
   * @return the answer; it is what the caller gets, whatever the guarded method returns
   * @throws LeaseLost when the claim is another's by now; nothing was written
   * @throws IllegalStateException when the work is completed already, or a transaction is open
   */
  Response complete(Callable<Response> work) throws Exception;

  /**
   * Answers 202 now and goes on in the background once the guarded method has returned what this
   * returns. The caller finds the outcome under {@code GET /idempotency-keys/<key>} or by repeating
   * the request. A method that throws or answers otherwise begins nothing.
   *
   * @param work must not use what belongs to the request, such as request-scoped beans: the request
   *     will have ended
   * @return what the guarded method returns
   * @throws IllegalStateException when the work is completed already
   */
  Response goOnInBackground(Work work);
}
