package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.PostgresIdempotencyStoreTest;
import io.onceflow.idempotency.PostgresProcess;

/** PostgreSQL with Redis in front keeps its own laws too. */
class RedisInFrontTest extends RedisInFrontLaws {

  private static final HybridIdempotencyStoreTest HYBRID = new HybridIdempotencyStoreTest();

  @Override
  protected OneProcess process() {
    return new HybridProcess(PostgresIdempotencyStoreTest.DATABASE, REDIS);
  }

  @Override
  OneProcess processWithoutRedis() {
    return new PostgresProcess(PostgresIdempotencyStoreTest.DATABASE);
  }

  @Override
  protected void expire(ScopedKey key) {
    HYBRID.expire(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    HYBRID.endLease(key);
  }

  @Override
  void forgetInPostgres() {
    PostgresIdempotencyStoreTest.DATABASE.update(
        "DELETE FROM idempotency_record WHERE scope = ? AND key = ?",
        key.scope(),
        key.key().value());
  }
}
