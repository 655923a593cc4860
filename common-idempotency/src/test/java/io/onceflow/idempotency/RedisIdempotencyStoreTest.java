package io.onceflow.idempotency;

/** Redis alone keeps the laws of the store; what it cannot promise is no law of the store's. */
class RedisIdempotencyStoreTest extends IdempotencyStoreLaws {

  static final TestRedis REDIS = new TestRedis("redis://localhost:26379");

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
