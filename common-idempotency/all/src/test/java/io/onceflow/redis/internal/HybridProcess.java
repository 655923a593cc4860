package io.onceflow.redis.internal;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.PostgresProcess;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.internal.TestConfig;
import java.util.Map;

/** A process that uses PostgreSQL with Redis in front. */
class HybridProcess extends PostgresProcess {

  /** Its detour is so short that a test need not wait for Redis to be used again. */
  static final IdempotencyConfig CONFIG =
      TestConfig.idempotency(Map.of("redis.detour", "PT0.001S", "redis.marker", "PT1M"));

  private final IdempotencyStore store;

  HybridProcess(TestDatabase database, TestRedis redis) {
    this(database, new RedisCache(redis.scripts(), breaker(), TestRedis.INTEGRITY, CONFIG));
  }

  HybridProcess(TestDatabase database, RedisCache front) {
    super(database);
    store = new HybridStore(super.store(), front);
  }

  static RedisCircuitBreaker breaker() {
    return new RedisCircuitBreaker(CONFIG, new SimpleMeterRegistry());
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }
}
