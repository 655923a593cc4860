package io.onceflow.idempotency;

import io.onceflow.idempotency.testing.TestDatabase;

/** PostgreSQL keeps the laws of many records at once. */
class PostgresSharedTest extends SharedRecordsLaws {

  private final PostgresIdempotencyStoreTest single = single();

  /** Where the records are. */
  PostgresIdempotencyStoreTest single() {
    return new PostgresIdempotencyStoreTest();
  }

  TestDatabase database() {
    return single.database();
  }

  @Override
  protected OneProcess process() {
    return single.process();
  }

  @Override
  protected void expire(ScopedKey key) {
    single.expire(key);
  }

  @Override
  protected void endLease(ScopedKey key) {
    single.endLease(key);
  }
}
