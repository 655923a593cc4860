package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores claims and answers. {@code onceflow.idempotency.store} selects an implementation; a bean
 * of the application replaces it. {@code IdempotencyStoreLaws}, in the artifact {@code
 * onceflow-test}, specifies the behaviour.
 *
 * <p>The guard calls in this order: {@link #claim}, then, if it is won, the method; {@link
 * #complete} in the transaction of the method's last writes, {@link #committed} after its commit;
 * or, if the request fails, a rollback and {@link #release}. In transactional mode the claim is
 * made in the same transaction.
 *
 * <p>All methods block, and throw {@link IdempotencyUnusable} if the store cannot be asked.
 */
public interface IdempotencyStore {

  /**
   * Claims a key or returns why it cannot, without waiting for other requests. A claim of
   * transactional mode joins the caller's transaction where the store can; one of leased mode is
   * committed when this returns, and takes an ended lease over only for a request with the same
   * fingerprint.
   */
  Claim claim(ClaimRequest request);

  /**
   * Checks in the caller's transaction that no other request has taken the claim over, and renews
   * it. Until that transaction ends the claim cannot be taken over.
   *
   * @throws LeaseLost if another request has; the transaction must be rolled back
   */
  void fence(Ownership own);

  /**
   * Stores the answer in the caller's transaction, beside the business rows.
   *
   * @throws LeaseLost if another request has taken the claim over; the transaction must be rolled
   *     back
   */
  CompletedResponse complete(Ownership own, StoredResponse response);

  /**
   * Called after the commit of the transaction in which {@link #complete} was called. The answer
   * may now be cached.
   */
  void committed(Ownership own, CompletedResponse kept);

  /** Releases a claim, unless it was taken over, so that the key may be used again. */
  void release(Ownership own);

  /** Records that the caller was answered 202 and that the work continues. */
  void accept(Ownership own);

  /**
   * Renews the leases of claims.
   *
   * @return those that were taken over or completed
   */
  Set<Ownership> renew(Collection<Ownership> owned);

  /**
   * Ends the lease of a claim now, unless it was taken over, so that another process may continue
   * accepted work at once when this one stops. Where a store does nothing here, the work continues
   * when the lease expires.
   *
   * @throws IdempotencyUnusable if the store cannot be asked
   */
  default void handOver(Ownership own) {}

  /** The state of a key; empty for an unused key. */
  Optional<KeyState> find(ScopedKey key);

  /**
   * Takes over claims whose lease ended long ago, for the recovery sweep.
   *
   * @param operations of this process; claims of other operations are not taken over
   * @param grace how long after the end of its lease a claim is taken over, so that the client can
   *     repeat the request first; a claim answered 202 is taken over without it
   * @param lease of the new claims
   * @param limit how many at most
   */
  List<ClaimTakenOver> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit);

  /**
   * The operations for many requests in one commit. Without them requests of shared mode are
   * claimed and committed one by one, like transactional ones.
   */
  default Optional<SharedRecords> shared() {
    return Optional.empty();
  }
}
