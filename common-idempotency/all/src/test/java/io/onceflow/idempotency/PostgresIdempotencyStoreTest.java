package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.test.stores.IdempotencyStoreLaws;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

  /** PostgreSQL's clock was an hour ahead when it was written, and has been set back. */
  @Test
  void aClaimOfAClockThatWasAheadIsRecovered() throws Exception {
    try (OneProcess dying = process();
        OneProcess sweeping = process()) {
      Ownership dead = win(dying, LEASED);
      assertThat(recovered(sweeping, dead)).isEmpty();
      leaseFromAhead();
      assertThat(recovered(sweeping, dead)).hasSize(1);
    }
  }

  /** Before: no other claim was recovered as long as it was there. */
  @Test
  void aClaimThatCannotBeReadHoldsUpNoOther() throws Exception {
    try (OneProcess dying = process();
        OneProcess sweeping = process()) {
      Ownership dead = win(dying, LEASED);
      endLease(key);
      database()
          .update(
              """
              INSERT INTO idempotency_record
                     (scope, key, fingerprint, operation, status, lease_expires_at, expires_at)
              SELECT scope, 'bad-' || key, '', operation, 'STARTED',
                     lease_expires_at - interval '1 s', 'infinity'
              FROM   idempotency_record
              WHERE  scope = ?
              AND    key = ?
              """,
              key.scope(),
              key.key().value());

      assertThat(recovered(sweeping, dead)).hasSize(1);
    }
  }

  private static List<ClaimTakenOver> recovered(OneProcess sweeping, Ownership dead) {
    return sweeping
        .store()
        .takeOverAbandoned(
            Set.of(dead.request().operation()), Duration.ZERO, dead.request().lease(), 1_000)
        .stream()
        .filter(claim -> claim.ownership().key().equals(dead.key()))
        .toList();
  }

  private void leaseFromAhead() {
    database()
        .update(
            """
        UPDATE idempotency_record
        SET    lease_expires_at = lease_expires_at + interval '1 h'
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
