package io.onceflow.redis.internal;

import io.onceflow.idempotency.DelegatingStore;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.ResponseHeaders;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** What stands in front of PostgreSQL, broken in one way each. */
final class BrokenFronts {

  private BrokenFronts() {}

  /** A front as it should be, for others to break. */
  static class WholeFront extends RedisCache {

    final TestRedis redis;

    WholeFront(TestRedis redis) {
      super(redis.scripts(), HybridProcess.breaker(), TestRedis.INTEGRITY, HybridProcess.CONFIG);
      this.redis = redis;
    }
  }

  static class NeverLooks extends WholeFront {

    NeverLooks(TestRedis redis) {
      super(redis);
    }

    @Override
    Look look(ClaimRequest request) {
      return new Look.Unmarked();
    }
  }

  static class CachesNothing extends WholeFront {

    CachesNothing(TestRedis redis) {
      super(redis);
    }

    @Override
    void cache(ClaimRequest request, CompletedResponse kept) {
      // It is lost, as in a crash.
    }
  }

  static class CachesForTooLong extends WholeFront {

    CachesForTooLong(TestRedis redis) {
      super(redis);
    }

    @Override
    void cache(ClaimRequest request, CompletedResponse kept) {
      super.cache(
          request,
          new CompletedResponse(
              kept.response(), kept.token(), kept.expiresAt().plus(Duration.ofDays(1))));
    }
  }

  static class LetsTheLastWriterWin extends WholeFront {

    LetsTheLastWriterWin(TestRedis redis) {
      super(redis);
    }

    @Override
    void cache(ClaimRequest request, CompletedResponse kept) {
      redis.expireEntry(request.key());
      super.cache(request, kept);
    }
  }

  static class TakesAnyMarkerAway extends WholeFront {

    TakesAnyMarkerAway(TestRedis redis) {
      super(redis);
    }

    @Override
    void unmark(ClaimRequest request, String marker) {
      redis.expireEntry(request.key());
    }
  }

  static class LeavesItsMarkers extends WholeFront {

    LeavesItsMarkers(TestRedis redis) {
      super(redis);
    }

    @Override
    void unmark(ClaimRequest request, String marker) {
      // It stays.
    }
  }

  static class MarksForEver extends WholeFront {

    MarksForEver(TestRedis redis) {
      super(redis);
    }

    @Override
    Look look(ClaimRequest request) {
      Look look = super.look(request);
      redis.send(Command.PERSIST, RedisKeys.entry(request.key()));
      return look;
    }
  }

  static class LetsMarkersEnd extends WholeFront {

    LetsMarkersEnd(TestRedis redis) {
      super(redis);
    }

    @Override
    void markOn(ClaimRequest request, String marker) {
      // It ends while its request runs.
    }
  }

  static class ReadsWithoutCare extends WholeFront {

    ReadsWithoutCare(TestRedis redis) {
      super(redis);
    }

    @Override
    Look look(ClaimRequest request) {
      Response headers =
          redis.send(Command.HGET, RedisKeys.entry(request.key()), "response_headers");
      if (headers != null) {
        ResponseHeaders.read(headers.toString());
      }
      return super.look(request);
    }
  }

  /** A request that finds nothing in Redis runs; PostgreSQL only gets its answer. */
  static class TakesRedisForTheTruth extends DelegatingStore {

    private final RedisCache front;

    TakesRedisForTheTruth(IdempotencyStore postgres, RedisCache front) {
      super(postgres);
      this.front = front;
    }

    @Override
    public Claim claim(ClaimRequest request) {
      if (front.look(request) instanceof RedisCache.Look.Known(Claim claim)) {
        return claim;
      }
      long token = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
      return new Claim.Won(new Ownership(request, token, false));
    }

    @Override
    public CompletedResponse complete(Ownership own, StoredResponse response) {
      Claim late = super.claim(own.request());
      return super.complete(late instanceof Claim.Won(Ownership won) ? won : own, response);
    }

    @Override
    public void committed(Ownership own, CompletedResponse kept) {
      front.cache(own.request(), kept);
    }
  }
}
