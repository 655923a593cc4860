package io.onceflow.inbox.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.TouchedBlocks;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PendingGaugeTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("pending_gauge");

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private Connection snapshot;

  @BeforeEach
  void holdASnapshot() throws SQLException {
    DATABASE.update("TRUNCATE inbox_message");
    DATABASE.update(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, completed_at, outcome)
        SELECT 'scope', n, '', 'COMPLETED', now(), '{}'
        FROM   generate_series(1, 20000) AS n
        """);
    DATABASE.update("VACUUM ANALYZE inbox_message");
    snapshot = DATABASE.holdSnapshot("inbox_message");
  }

  @AfterEach
  void close() throws SQLException {
    snapshot.rollback();
    snapshot.close();
  }

  @Test
  void countsTheStepsThatArePending() throws SQLException {
    start("waits", 1, "now() - interval '1 hour'");
    start("runs", 1, "NULL");
    start("ended", 1, "now() - interval '2 hours'");
    end("ended");

    new PendingGauge(DATABASE.source(), metrics).look();

    assertThat(metrics.get("onceflow.inbox.pending").gauge().value()).isOne();
    assertThat(metrics.get("onceflow.inbox.pending.oldest").gauge().value())
        .isBetween(3_600.0, 3_700.0);
  }

  /** Seen red: it read what had been started and had ended since the snapshot, each ten seconds. */
  @Test
  void readsNothingOfStepsThatHaveEnded() throws Exception {
    start("ended", 5_000, "NULL");
    end("ended");

    TouchedBlocks blocks = new TouchedBlocks(DATABASE.source(), "inbox_message");
    assertThat(blocks.during(database -> new PendingGauge(database, metrics).look()))
        .isLessThan(10);
  }

  private static void start(String scope, int steps, String pendingSince) {
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, lease_expires_at, envelope, pending_since)
        SELECT '%s', n, '', 'STARTED', now(), '{}', %s
        FROM   generate_series(1, %d) AS n
        """
            .formatted(scope, pendingSince, steps));
  }

  private static void end(String scope) {
    DATABASE.update(
        """
        UPDATE inbox_message
        SET    status = 'COMPLETED', lease_expires_at = NULL, envelope = NULL, outcome = '{}',
               completed_at = now()
        WHERE  scope = ?
        """,
        scope);
  }
}
