package io.onceflow.idempotency;

/** So does PostgreSQL where records are divided by days; before midnight and after it. */
class PartitionedSharedTest extends PostgresSharedLaws {

  PartitionedSharedTest() {
    super(new PartitionedIdempotencyStoreTest());
  }
}
