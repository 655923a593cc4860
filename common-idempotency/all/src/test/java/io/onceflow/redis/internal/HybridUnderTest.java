package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.PostgresIdempotencyStoreTest;
import io.onceflow.idempotency.PostgresProcess;
import io.onceflow.test.stores.StoreUnderTest;
import org.junit.jupiter.api.AfterEach;

/** PostgreSQL with Redis in front, both real. */
abstract class HybridUnderTest extends StoreUnderTest {

  static final TestRedis REDIS = RedisIdempotencyStoreTest.REDIS;

  private static final HybridIdempotencyStoreTest HYBRID = new HybridIdempotencyStoreTest();

  @AfterEach
  void redisRuns() {
    TestRedis.start();
  }

  @Override
  protected OneProcess process() {
    return new HybridProcess(PostgresIdempotencyStoreTest.DATABASE, REDIS);
  }

  /** An equal request that asks PostgreSQL alone, as one does that goes around Redis. */
  final OneProcess processWithoutRedis() {
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

  /** Makes PostgreSQL forget the record, so that an answer to it must have come from Redis. */
  final void forgetInPostgres() {
    PostgresIdempotencyStoreTest.DATABASE.update(
        "DELETE FROM idempotency_record WHERE scope = ? AND key = ?",
        key.scope(),
        key.key().value());
  }
}
