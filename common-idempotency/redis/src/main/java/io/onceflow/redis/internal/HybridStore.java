package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.AbandonedClaim;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.KeyState;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL is the truth; Redis in front of it answers repeats and holds back the herd.
 *
 * <p>A request runs only after it has won the claim in PostgreSQL. Redis can only keep a request
 * from asking: by an answer that PostgreSQL has committed and not yet forgotten, or by a marker of
 * a request that was asking or running a moment ago. Without Redis each asks PostgreSQL itself,
 * which is slower and the same.
 */
final class HybridStore implements IdempotencyStore {

  private final IdempotencyStore truth;
  private final RedisCache front;

  /** Of claims that run in this process. */
  private final Map<Ownership, String> markers = new ConcurrentHashMap<>();

  HybridStore(IdempotencyStore truth, RedisCache front) {
    this.truth = truth;
    this.front = front;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return switch (front.look(request)) {
      case RedisCache.Look.Known(Claim claim) -> claim;
      case RedisCache.Look.Marked(String marker) -> ask(request, marker);
      case RedisCache.Look.Unmarked() -> cached(request, truth.claim(request));
    };
  }

  @Override
  public void fence(Ownership own) {
    truth.fence(own);
  }

  @Override
  public CompletedResponse complete(Ownership own, StoredResponse response) {
    return truth.complete(own, response);
  }

  @Override
  public void committed(Ownership own, CompletedResponse kept) {
    truth.committed(own, kept);
    markers.remove(own);
    front.cache(own.request(), kept);
  }

  @Override
  public void release(Ownership own) {
    try {
      truth.release(own);
    } finally {
      unmark(own);
    }
  }

  /** From now on PostgreSQL tells that it was accepted. */
  @Override
  public void accept(Ownership own) {
    truth.accept(own);
    unmark(own);
  }

  @Override
  public Set<Ownership> renew(Collection<Ownership> owned) {
    for (Ownership own : owned) {
      String marker = markers.get(own);
      if (marker != null) {
        front.markOn(own.request(), marker);
      }
    }
    return truth.renew(owned);
  }

  @Override
  public void handOver(Ownership own) {
    truth.handOver(own);
    unmark(own);
  }

  @Override
  public Optional<KeyState> find(ScopedKey key) {
    return truth.find(key);
  }

  @Override
  public List<AbandonedClaim> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit) {
    return truth.takeOverAbandoned(operations, grace, lease, limit);
  }

  @Override
  public Optional<SharedRecords> shared() {
    return truth.shared().map(records -> new HybridSharedRecords(records, front));
  }

  /** Asks PostgreSQL while the marker holds others back. */
  private Claim ask(ClaimRequest request, String marker) {
    Claim claim = null;
    try {
      claim = cached(request, truth.claim(request));
      return claim;
    } finally {
      settle(request, marker, claim);
    }
  }

  /** The marker stays while its request runs; an answer has taken its place by now. */
  private void settle(ClaimRequest request, String marker, @Nullable Claim claim) {
    if (claim instanceof Claim.Won(Ownership own)) {
      markers.put(own, marker);
    } else if (!(claim instanceof Claim.Done)) {
      front.unmark(request, marker);
    }
  }

  /** Repairs what a crash between commit and cache, or an emptied Redis, has left undone. */
  private Claim cached(ClaimRequest request, Claim claim) {
    if (claim instanceof Claim.Done(CompletedResponse kept)) {
      front.cache(request, kept);
    }
    return claim;
  }

  private void unmark(Ownership own) {
    String marker = markers.remove(own);
    if (marker != null) {
      front.unmark(own.request(), marker);
    }
  }
}
