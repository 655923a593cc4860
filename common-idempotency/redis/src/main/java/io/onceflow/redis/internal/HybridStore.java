package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
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
 * PostgreSQL decides; Redis in front of it answers repeats, so that many equal requests at once do
 * not all ask PostgreSQL.
 *
 * <p>A request runs only after it has won the claim in PostgreSQL. Redis can only keep a request
 * from asking: by an answer that PostgreSQL has committed and not yet deleted, or by a marker of a
 * request that was asking or running a moment ago. Without Redis each request asks PostgreSQL,
 * which is slower and has the same result.
 */
final class HybridStore implements IdempotencyStore {

  private final IdempotencyStore postgres;
  private final RedisCache redis;

  /** The markers of claims that run in this process. */
  private final Map<Ownership, String> markers = new ConcurrentHashMap<>();

  HybridStore(IdempotencyStore postgres, RedisCache redis) {
    this.postgres = postgres;
    this.redis = redis;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return switch (redis.look(request)) {
      case RedisCache.Look.Known(Claim claim) -> claim;
      case RedisCache.Look.Marked(String marker) -> ask(request, marker);
      case RedisCache.Look.Unmarked() -> cached(request, postgres.claim(request));
    };
  }

  @Override
  public void fence(Ownership own) {
    postgres.fence(own);
  }

  @Override
  public CompletedResponse complete(Ownership own, StoredResponse response) {
    return postgres.complete(own, response);
  }

  @Override
  public void committed(Ownership own, CompletedResponse kept) {
    postgres.committed(own, kept);
    markers.remove(own);
    redis.cache(own.request(), kept);
  }

  @Override
  public void release(Ownership own) {
    try {
      postgres.release(own);
    } finally {
      unmark(own);
    }
  }

  /** From now on repeats must ask PostgreSQL, which knows that the request was accepted. */
  @Override
  public void accept(Ownership own) {
    postgres.accept(own);
    unmark(own);
  }

  @Override
  public Set<Ownership> renew(Collection<Ownership> owned) {
    for (Ownership own : owned) {
      String marker = markers.get(own);
      if (marker != null) {
        redis.markOn(own.request(), marker);
      }
    }
    return postgres.renew(owned);
  }

  @Override
  public void handOver(Ownership own) {
    postgres.handOver(own);
    unmark(own);
  }

  @Override
  public Optional<KeyState> find(ScopedKey key) {
    return postgres.find(key);
  }

  @Override
  public List<ClaimTakenOver> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit) {
    return postgres.takeOverAbandoned(operations, grace, lease, limit);
  }

  @Override
  public Optional<SharedRecords> shared() {
    return postgres.shared().map(records -> new HybridSharedRecords(records, redis));
  }

  /** Asks PostgreSQL while the marker keeps other requests from asking. */
  private Claim ask(ClaimRequest request, String marker) {
    Claim claim = null;
    try {
      claim = cached(request, postgres.claim(request));
      return claim;
    } finally {
      settle(request, marker, claim);
    }
  }

  /** The marker stays while its request runs; where there is an answer, that has replaced it. */
  private void settle(ClaimRequest request, String marker, @Nullable Claim claim) {
    if (claim instanceof Claim.Won(Ownership own)) {
      markers.put(own, marker);
    } else if (!(claim instanceof Claim.Done)) {
      redis.unmark(request, marker);
    }
  }

  /** Caches an answer that a crash after the commit, or an emptied Redis, left uncached. */
  private Claim cached(ClaimRequest request, Claim claim) {
    if (claim instanceof Claim.Done(CompletedResponse kept)) {
      redis.cache(request, kept);
    }
    return claim;
  }

  private void unmark(Ownership own) {
    String marker = markers.remove(own);
    if (marker != null) {
      redis.unmark(own.request(), marker);
    }
  }
}
