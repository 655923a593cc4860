package io.onceflow.redis.internal;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.test.stores.StoreUnderTest.OneProcess;

/** A process that uses the store that is in Redis alone: its transactions mean nothing to Redis. */
class RedisProcess implements OneProcess {

  private final IdempotencyStore store;

  RedisProcess(TestRedis redis) {
    store =
        new RedisStore(
            redis.scripts(),
            new RedisLeases(redis.scripts(), TestRedis.INTEGRITY),
            TestRedis.INTEGRITY);
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }

  @Override
  public void begin() {}

  @Override
  public void commit() {}

  @Override
  public void rollBack() {}

  @Override
  public void close() {}
}
