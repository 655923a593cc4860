package io.onceflow.idempotency;

/** PostgreSQL with Redis in front keeps the laws of every store; its own are RedisInFrontLaws. */
class HybridIdempotencyStoreTest extends PostgresIdempotencyStoreTest {

  @Override
  protected OneProcess process() {
    return new HybridProcess(DATABASE, RedisIdempotencyStoreTest.REDIS);
  }

  @Override
  protected void expire(ScopedKey key) {
    super.expire(key);
    RedisIdempotencyStoreTest.REDIS.expireEntry(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    super.endLease(key);
    RedisIdempotencyStoreTest.REDIS.expireEntry(key);
  }
}
