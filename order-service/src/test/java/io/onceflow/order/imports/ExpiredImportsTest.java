package io.onceflow.order.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.internal.retention.TestCollection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Imports are kept for thirty days after their end here. */
class ExpiredImportsTest {

  private static final TestDatabase DATABASE =
      TestDatabase.apartInSchema("import_cleanup", "onceflow/saga", "migration");

  private final GarbageCollector collector =
      new TestCollection()
          .of(
              new ExpiredImports(new ThirtyDays()).expiring().orElseThrow(),
              DATABASE.source(),
              new SimpleMeterRegistry());

  @BeforeEach
  void empty() {
    DATABASE.update("DELETE FROM order_import");
  }

  @Test
  void areDeletedWithTheirLines() throws SQLException {
    ended("old", "40 days", "31 days");
    ended("young", "40 days", "29 days");

    assertThat(collector.collect()).isEqualTo(1);

    assertThat(DATABASE.texts("SELECT customer FROM order_import")).containsExactly("young");
    assertThat(
            DATABASE.texts(
                """
                SELECT customer
                FROM   order_import_line
                JOIN   order_import ON id = import_id
                """))
        .containsExactly("young", "young");
  }

  /** An import whose process died goes on, however long that takes. */
  @Test
  void areNotThoseThatRun() throws SQLException {
    ended("stopped", "90 days", null);

    assertThat(collector.collect()).isZero();
  }

  private static void ended(String customer, String begunAgo, @Nullable String endedAgo) {
    DATABASE.update(
        """
        WITH import AS (
          INSERT INTO order_import
                 (id, customer, idempotency_key, fingerprint, status, total, placed, created_at,
                  ended_at)
          VALUES ((lpad(to_hex((extract(epoch FROM now() - ?::interval) * 1000)::bigint), 12, '0')
                   || '7' || substr(md5(?), 14))::uuid,
                  ?, 'key', '', ?, 2, 2, now() - ?::interval, now() - ?::interval)
          RETURNING id
        )
        INSERT INTO order_import_line (import_id, position, order_id)
        SELECT id, position, gen_random_uuid()
        FROM   import, generate_series(0, 1) AS position
        """,
        begunAgo,
        customer,
        customer,
        endedAgo == null ? "RUNNING" : "COMPLETED",
        begunAgo,
        endedAgo);
  }

  private record ThirtyDays() implements ImportConfig {

    @Override
    public int batchSize() {
      return 100;
    }

    @Override
    public int mostUnderWay() {
      return 4;
    }

    @Override
    public Duration retention() {
      return Duration.ofDays(30);
    }
  }
}
