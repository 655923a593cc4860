package io.onceflow.idempotency;

import io.onceflow.quickstart.testing.TestServers;

/** Redis alone keeps the laws of the store; what it cannot promise is no law of the store's. */
class RedisIdempotencyStoreTest extends IdempotencyStoreLaws {

  static final TestRedis REDIS = new TestRedis(TestServers.shared().redisUrl());

  @Override
  protected OneProcess process() {
    return new RedisProcess(REDIS);
  }

  @Override
  protected void expire(ScopedKey key) {
    REDIS.expireRecord(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    REDIS.endLease(key);
  }
}
