package io.onceflow.idempotency;

import io.onceflow.core.ScopedKey;
import io.onceflow.idempotency.testing.TestDatabase;

/** PostgreSQL keeps the laws of many records at once. */
public class PostgresSharedTest extends SharedRecordsLaws {

  private final PostgresIdempotencyStoreTest single;

  public PostgresSharedTest() {
    this(new PostgresIdempotencyStoreTest());
  }

  /**
   * @param single where the records are
   */
  protected PostgresSharedTest(PostgresIdempotencyStoreTest single) {
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
