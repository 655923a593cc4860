package io.onceflow.idempotency;

/** PostgreSQL keeps the laws of many records at once. */
class PostgresSharedTest extends PostgresSharedLaws {

  PostgresSharedTest() {
    super(new PostgresIdempotencyStoreTest());
  }
}
