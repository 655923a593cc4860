package io.onceflow.redis.internal;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.PostgresProcess;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.testing.TestDatabase;
import java.time.Duration;

/** A process that uses PostgreSQL with Redis in front. */
class HybridProcess extends PostgresProcess {

  static final Duration LONGEST_MARKER = Duration.ofMinutes(1);

  private final IdempotencyStore store;

  HybridProcess(TestDatabase database, TestRedis redis) {
    this(database, new RedisCache(redis.scripts(), breaker(), TestRedis.INTEGRITY, LONGEST_MARKER));
  }

  HybridProcess(TestDatabase database, RedisCache front) {
    super(database);
    store = new HybridStore(super.store(), front);
  }

  /** So short that a test need not wait for Redis to be used again. */
  static RedisCircuitBreaker breaker() {
    return new RedisCircuitBreaker(Duration.ofMillis(1), new SimpleMeterRegistry());
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }
}
