package io.onceflow.idempotency;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.stores.IdempotencyStoreLaws;

/** PostgreSQL keeps the laws. */
public class PostgresIdempotencyStoreTest extends IdempotencyStoreLaws {

  public static final TestDatabase DATABASE = TestDatabase.migrated("payments");

  /** Where the records are. */
  TestDatabase database() {
    return DATABASE;
  }

  @Override
  protected OneProcess process() {
    return new PostgresProcess(database());
  }

  @Override
  protected void expire(ScopedKey key) {
    database()
        .update(
            """
        UPDATE idempotency_record
        SET    expires_at = expires_at - interval '1 day',
               lease_expires_at = lease_expires_at - interval '1 day'
        WHERE  scope = ?
        AND    key = ?
        """,
            key.scope(),
            key.key().value());
  }

  @Override
  protected void endLease(ScopedKey key) {
    database()
        .update(
            """
        UPDATE idempotency_record
        SET    lease_expires_at = lease_expires_at - interval '10 min'
        WHERE  scope = ?
        AND    key = ?
        """,
            key.scope(),
            key.key().value());
  }
}
