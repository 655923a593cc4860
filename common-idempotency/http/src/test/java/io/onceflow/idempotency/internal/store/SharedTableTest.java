package io.onceflow.idempotency.internal.store;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.testing.PreparedPlans;
import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The records of many requests, in PostgreSQL. */
@Timeout(60)
class SharedTableTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("kept_plans");

  /** Each request looks its key up, mostly by itself: planning took longer than looking. */
  @Test
  void aPlanIsMadeOnceForKeysThatAreLookedUp() throws Exception {
    DATABASE.update(
        """
        INSERT INTO idempotency_record (scope, key, fingerprint, operation, status, expires_at)
        SELECT 'alice', 'other-' || i, '', 'any', 'STARTED', now() + interval '1 day'
        FROM   generate_series(1, 2000) i
        ON CONFLICT DO NOTHING
        """);
    DATABASE.update("ANALYZE idempotency_record");
    List<ScopedKey> one = List.of(new ScopedKey("alice", new IdempotencyKey("other-7")));
    try (Connection connection = DATABASE.source().getConnection()) {
      PreparedPlans.assertKept(
          connection, "asked (scope, key, place)", () -> SharedTable.find(connection, one));
    }
  }
}
