package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store that does what another does; broken ones override what they break. */
public class DelegatingStore implements IdempotencyStore {

  final IdempotencyStore real;

  public DelegatingStore(IdempotencyStore real) {
    this.real = real;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return real.claim(request);
  }

  @Override
  public void fence(Ownership own) {
    real.fence(own);
  }

  @Override
  public CompletedResponse complete(Ownership own, StoredResponse response) {
    return real.complete(own, response);
  }

  @Override
  public void committed(Ownership own, CompletedResponse kept) {
    real.committed(own, kept);
  }

  @Override
  public void release(Ownership own) {
    real.release(own);
  }

  @Override
  public void accept(Ownership own) {
    real.accept(own);
  }

  @Override
  public Set<Ownership> renew(Collection<Ownership> owned) {
    return real.renew(owned);
  }

  @Override
  public Optional<KeyState> find(ScopedKey key) {
    return real.find(key);
  }

  @Override
  public List<ClaimTakenOver> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit) {
    return real.takeOverAbandoned(operations, grace, lease, limit);
  }
}
