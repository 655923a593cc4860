package io.onceflow.idempotency;

import io.onceflow.idempotency.internal.store.ExpiredRecords;
import io.onceflow.idempotency.testing.Midnight;
import io.onceflow.idempotency.testing.TestDatabase;

/**
 * PostgreSQL keeps the laws also where records are divided by days, and of any two processes that
 * come one after the other the first acts just before midnight, the second just after it. What the
 * trigger is needed for is shown by {@link DividedRecordsTest}.
 */
class PartitionedIdempotencyStoreTest extends PostgresIdempotencyStoreTest {

  private static final Midnight MIDNIGHT = Midnight.in("by_day", ExpiredRecords.TABLE);

  Midnight midnight() {
    return MIDNIGHT;
  }

  @Override
  TestDatabase database() {
    return midnight().database();
  }

  @Override
  protected OneProcess process() {
    return new PostgresProcess(midnight().eitherSide());
  }
}
