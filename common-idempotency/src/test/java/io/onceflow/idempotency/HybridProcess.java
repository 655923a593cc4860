package io.onceflow.idempotency;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import java.time.Duration;

/** A process that uses PostgreSQL with Redis in front. */
class HybridProcess extends PostgresProcess {

  private final IdempotencyStore store;

  HybridProcess(TestDatabase database, TestRedis redis) {
    super(database);
    Detour detour = new Detour(Duration.ofMillis(1), new SimpleMeterRegistry());
    store =
        new HybridStore(
            (PostgresStore) super.store(),
            new RedisFront(redis.scripts(), detour, Duration.ofMinutes(1)));
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }
}
