package io.onceflow.idempotency;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.store.LeaseLost;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.Callable;

/**
 * The claim of a leased operation that runs. It is renewed as long as the process lives. If it
 * expires nevertheless (a paused process, an unreachable database), another request may take the
 * work over, and from then on nothing can be written under this lease.
 *
 * <p>A lease belongs to one run. Its methods may be called from any thread, one at a time.
 */
public interface Lease {

  /** Work that continues in the background. */
  @FunctionalInterface
  interface Work {

    /**
     * Does the work, and ends with {@link Lease#complete}. Throwing leaves the claim to the
     * recovery sweep, or frees the key where the operation has no {@link AbandonedClaimResolver}.
     */
    void run(Lease lease) throws Exception;
  }

  /** Whose key it is. */
  String scope();

  /** The key under which the work runs. */
  IdempotencyKey key();

  /**
   * The fingerprint of the request: its SHA-256 as 64 hexadecimal digits. Work that stores the
   * request should store it too, since the same key may come with another request after it has
   * expired.
   */
  String fingerprint();

  /**
   * True if the lease of an earlier run of the same request expired: what that run wrote by {@link
   * #write} is stored, and its calls to other systems may have taken effect.
   */
  boolean isTakenOver();

  /**
   * True once it is known that the lease was lost. Long work may check it to stop early; {@link
   * #write} and {@link #complete} refuse in any case.
   */
  boolean isLost();

  /**
   * Writes before the work is complete, in a separate JTA transaction. It starts by renewing the
   * claim under its fencing token, and the claim cannot be taken over until it ends. What it wrote
   * stays, even if the work fails later; if the method throws then, and the operation has an {@link
   * AbandonedClaimResolver}, its key is not released: the same request takes the work over, or the
   * resolver is asked.
   *
   * @throws LeaseLost if another request has taken the claim over; nothing was written
   * @throws IllegalStateException when the work is completed, or a transaction is open
   */
  <T> T write(Callable<T> work) throws Exception;

  /**
   * Ends the work: the last writes and the answer commit together, under the fencing token.
   *
   * <p>An answer of 5xx is a failure: the last writes are rolled back, and it is not stored. After
   * one of 4xx they are rolled back too; it is stored if the operation's policy keeps refusals, or
   * if the caller was answered 202.
   *
   * @param work does the last writes and returns the answer
   * @return the answer; the caller gets it, whatever the guarded method returns
   * @throws LeaseLost if another request has taken the claim over; nothing was written
   * @throws IllegalStateException when the work is completed already, or a transaction is open
   */
  Response complete(Callable<Response> work) throws Exception;

  /**
   * Answers 202 now and runs the work in the background once the guarded method has returned what
   * this returns. The caller finds the outcome under {@code GET /idempotency-keys/<key>} or by
   * repeating the request. If the method throws or returns another answer, the work does not run.
   *
   * @param work must not use request-scoped state, since the request will have ended
   * @return the answer for the guarded method to return
   * @throws IllegalStateException when the work is completed already
   */
  Response goOnInBackground(Work work);
}
