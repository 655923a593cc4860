package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.AbandonedClaim;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where claims and answers are kept. {@code onceflow.idempotency.store} chooses one, and a bean of
 * the application's own takes its place; what each must do is written down in {@code
 * IdempotencyStoreLaws}, in the artifact {@code onceflow-test}.
 *
 * <p>The guard calls in this order: {@link #claim}, then, if it is won, the method; {@link
 * #complete} in the transaction of the method's last writes, {@link #committed} after its commit;
 * or, whenever it comes to nothing, a rollback and {@link #release}. In transactional mode the
 * claim is made in that same transaction.
 *
 * <p>All methods block. All throw {@link IdempotencyUnusable} when the store cannot be asked.
 */
public interface IdempotencyStore {

  /**
   * Claims a key or says what stands in the way, without waiting for other requests. A claim of
   * transactional mode joins the caller's transaction where the store can; one of leased mode is
   * committed when this returns, and takes an ended lease over only for a request with the same
   * fingerprint.
   */
  Claim claim(ClaimRequest request);

  /**
   * Asserts in the caller's transaction that the claim is still its owner's, and renews it. Until
   * that transaction ends the claim cannot be taken over.
   *
   * @throws LeaseLost when it is not; the transaction must be rolled back
   */
  void fence(Ownership own);

  /**
   * Stores the answer in the caller's transaction, beside the business rows.
   *
   * @throws LeaseLost when the claim is another's by now; the transaction must be rolled back
   */
  CompletedResponse complete(Ownership own, StoredResponse response);

  /**
   * Told after the commit of the transaction in which {@link #complete} was called. The answer may
   * now be put where it is found faster.
   */
  void committed(Ownership own, CompletedResponse kept);

  /** Gives a claim up, if it is still its owner's, so that the key may be used again. */
  void release(Ownership own);

  /** Remembers that the caller was told 202 and that the work goes on. */
  void accept(Ownership own);

  /**
   * Signs of life of owners whose work goes on.
   *
   * @return those whose claim is another's by now
   */
  Set<Ownership> renew(Collection<Ownership> owned);

  /**
   * Ends the lease of a claim now, as far as it is still its owner's, and leaves the claim as it
   * is: a process that stops lets another go on with accepted work at once. A store that does
   * nothing here has it go on when the lease ends.
   *
   * @throws IdempotencyUnusable when the store cannot be asked
   */
  default void handOver(Ownership own) {}

  /** What became of a key; empty when it is as new. */
  Optional<KeyState> find(ScopedKey key);

  /**
   * Takes over claims whose lease ended long ago, for the recovery sweep.
   *
   * @param operations that this process knows; the claims of others are left to those who do
   * @param grace since the lease's end: time for the client to come back first. One that was told
   *     202 has no reason to, so its claim is not left for that long
   * @param lease for which they are claimed anew
   * @param limit how many at most
   */
  List<AbandonedClaim> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit);

  /**
   * The same for many requests at once, whose commit is shared. Where a store has none, requests of
   * shared mode are claimed and committed one by one, as transactional ones are.
   */
  default Optional<SharedRecords> shared() {
    return Optional.empty();
  }
}
