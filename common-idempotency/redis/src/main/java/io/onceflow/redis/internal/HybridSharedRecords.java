package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.SharedRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Redis answers repeats, PostgreSQL is the truth. No markers are left for those that run: a claim
 * is open only while its group commits, and a herd meets at its process's flight.
 */
final class HybridSharedRecords implements SharedRecords {

  private final SharedRecords truth;
  private final RedisCache front;

  HybridSharedRecords(SharedRecords truth, RedisCache front) {
    this.truth = truth;
    this.front = front;
  }

  @Override
  public Optional<Claim> glance(ClaimRequest request) {
    return front.glance(request);
  }

  /** Repairs what a crash between commit and cache, or an emptied Redis, has left undone. */
  @Override
  public Map<ClaimRequest, Claim> look(List<ClaimRequest> requests) {
    Map<ClaimRequest, Claim> claims = truth.look(requests);
    claims.forEach(
        (request, claim) -> {
          if (claim instanceof Claim.Done(CompletedResponse kept)) {
            front.cache(request, kept);
          }
        });
    return claims;
  }

  @Override
  public List<Keeping> keep(List<Decided> decided) {
    return truth.keep(decided);
  }
}
