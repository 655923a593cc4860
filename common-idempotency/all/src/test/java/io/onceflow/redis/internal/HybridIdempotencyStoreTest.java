package io.onceflow.redis.internal;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.PostgresIdempotencyStoreTest;
import org.junit.jupiter.api.Tag;

/** PostgreSQL with Redis in front keeps the laws of every store; its own are RedisInFrontTest. */
@Tag("nightly")
public class HybridIdempotencyStoreTest extends PostgresIdempotencyStoreTest {

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
