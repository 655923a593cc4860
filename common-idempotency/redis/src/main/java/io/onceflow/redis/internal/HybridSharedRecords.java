package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.SharedRecords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Redis answers repeats, PostgreSQL decides. Requests that run leave no marker: a claim is open
 * only while its group commits, and equal requests of one process share one look.
 */
final class HybridSharedRecords implements SharedRecords {

  /**
   * All requests of a look wait while the answers that it has found are cached, one after the
   * other. With a Redis that is slow, the rest is left to later looks: many repeats at once, after
   * Redis was emptied, would wait longer than a look may take.
   */
  private static final Duration CACHING = Duration.ofMillis(100);

  private final SharedRecords postgres;
  private final RedisCache redis;

  HybridSharedRecords(SharedRecords postgres, RedisCache redis) {
    this.postgres = postgres;
    this.redis = redis;
  }

  @Override
  public Optional<Claim> findCached(ClaimRequest request) {
    return redis.findCached(request);
  }

  /** Caches an answer that a crash after the commit, or an emptied Redis, left uncached. */
  @Override
  public Map<ClaimRequest, Claim> find(List<ClaimRequest> requests) {
    Map<ClaimRequest, Claim> claims = postgres.find(requests);
    long begunNanos = System.nanoTime();
    for (Map.Entry<ClaimRequest, Claim> found : claims.entrySet()) {
      if (System.nanoTime() - begunNanos >= CACHING.toNanos()) {
        break;
      }
      if (found.getValue() instanceof Claim.Done(CompletedResponse kept)) {
        redis.cache(found.getKey(), kept);
      }
    }
    return claims;
  }

  @Override
  public List<WriteResult> write(List<Decided> decided) {
    return postgres.write(decided);
  }
}
