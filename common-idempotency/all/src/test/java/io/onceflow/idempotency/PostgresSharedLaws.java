package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.stores.SharedRecordsLaws;

/** The laws of many records at once, where PostgreSQL keeps them. */
public abstract class PostgresSharedLaws extends SharedRecordsLaws {

  private final PostgresIdempotencyStoreTest single;

  /**
   * @param single where the records are
   */
  protected PostgresSharedLaws(PostgresIdempotencyStoreTest single) {
    this.single = single;
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
