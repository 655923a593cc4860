package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.internal.retention.TestCollection;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of the inbox are kept for thirty days here; in a schema where no others are. */
@Timeout(60)
class EndedStepsTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("garbage");

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final GarbageCollector collector =
      new TestCollection()
          .withBatchSize(3)
          .of(EndedSteps.table(Duration.ofDays(30)), DATABASE.source(), metrics);

  @BeforeEach
  @AfterEach
  void empty() {
    DATABASE.update("DELETE FROM inbox_message");
  }

  @Test
  void areDeletedWhenTheirRetentionIsOver() throws SQLException {
    for (int i = 0; i < 7; i++) {
      completed("key-" + i + ":charge", "31 days", "31 days");
    }
    completed("young:charge", "29 days", "29 days");
    assertThat(collector.collect()).isEqualTo(7);
    assertThat(steps()).containsExactly("young:charge");
  }

  /** A step that took weeks may be repeated for as long as any other. */
  @Test
  void areKeptCountingFromTheirEndAndNotFromTheirBeginning() throws SQLException {
    completed("slow:charge", "60 days", "1 day");
    assertThat(collector.collect()).isZero();
  }

  @Test
  void areDeletedAlsoIfTheyAreTombstones() throws SQLException {
    tombstone("late:charge", "29 days");
    assertThat(collector.collect()).isZero();
    tombstone("later:charge", "31 days");
    assertThat(collector.collect()).isEqualTo(1);
    assertThat(steps()).containsExactly("late:charge");
  }

  @Test
  void areOnlyThoseThatHaveEnded() throws SQLException {
    started("stuck:charge", "90 days");
    assertThat(collector.collect()).isZero();
    assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isZero();
  }

  /** Seen red: the refund found no charge, left a tombstone, and answered that nothing was paid. */
  @Test
  void areKeptWhileAStepOfTheSameRootKeyRuns() throws SQLException {
    completed("a:b:charge", "60 days", "60 days");
    completed("a:charge", "60 days", "60 days");
    started("a:b:refund", "50 days");
    assertThat(collector.collect()).isEqualTo(1);
    assertThat(steps()).containsExactlyInAnyOrder("a:b:charge", "a:b:refund");
    DATABASE.update(
        """
        UPDATE inbox_message
        SET    status = 'COMPLETED', outcome = '{}', completed_at = now() - interval '31 days',
               lease_expires_at = NULL, envelope = NULL
        WHERE  status = 'STARTED'
        """);
    assertThat(collector.collect()).isEqualTo(2);
  }

  @Test
  void areLeftToWhoeverHasThemLocked() throws Exception {
    completed("a:charge", "60 days", "60 days");
    completed("b:charge", "60 days", "60 days");
    try (Connection other = DATABASE.begin();
        Statement lock = other.createStatement()) {
      lock.execute("SELECT FROM inbox_message WHERE step_key = 'a:charge' FOR UPDATE");
      assertThat(collector.collect()).isEqualTo(1);
      other.rollback();
    }
    assertThat(steps()).containsExactly("a:charge");
  }

  /**
   * A sort of all that has expired for each batch would make a backlog of millions stand still. So
   * did a filter that compared each expired row with all steps that run, once they were too many to
   * be hashed in memory.
   */
  @Test
  void areFoundByIndexesHoweverManyStepsRun() {
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, completed_at, outcome)
        SELECT 'scope', n || ':charge', '', 'COMPLETED', at, at, '{}'
        FROM   generate_series(1, 20000) AS n,
               LATERAL (SELECT now() - interval '60 days' + n * interval '1 s' AS at) AS made
        """);
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, lease_expires_at, envelope)
        SELECT 'scope', 'running-' || n || ':charge', '', 'STARTED', now(), now(), '{}'
        FROM   generate_series(1, 120000) AS n
        """);
    DATABASE.update("ANALYZE inbox_message");
    CollectedTable table = EndedSteps.table(Duration.ofDays(30));
    assertThat(plan(table.delete(), 1000)).satisfies(EndedStepsTest::looksUpRunningStepsByIndex);
    assertThat(plan(table.backlog(), 10_000)).satisfies(EndedStepsTest::looksUpRunningStepsByIndex);
  }

  private static List<String> plan(String sql, int limit) {
    return DATABASE.texts("EXPLAIN " + sql, Duration.ofDays(30).toMillis(), limit);
  }

  private static void looksUpRunningStepsByIndex(List<? extends String> plan) {
    assertThat(plan).noneMatch(line -> line.contains("SubPlan") || line.contains("Sort"));
    assertThat(plan).anyMatch(line -> line.contains("inbox_message_received"));
    assertThat(plan).anyMatch(line -> line.contains("inbox_message_stored"));
  }

  private static void completed(String stepKey, String receivedAgo, String completedAgo) {
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, completed_at, outcome)
        VALUES ('scope', ?, '', 'COMPLETED', now() - ?::interval, now() - ?::interval, '{}')
        """,
        stepKey,
        receivedAgo,
        completedAgo);
  }

  private static void tombstone(String stepKey, String receivedAgo) {
    DATABASE.update(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, received_at)
        VALUES ('scope', ?, '', 'TOMBSTONE', now() - ?::interval)
        """,
        stepKey,
        receivedAgo);
  }

  private static void started(String stepKey, String receivedAgo) {
    DATABASE.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, lease_expires_at, envelope)
        VALUES ('scope', ?, '', 'STARTED', now() - ?::interval, now() - interval '1 h', '{}')
        """,
        stepKey,
        receivedAgo);
  }

  private static List<String> steps() {
    return DATABASE.texts("SELECT step_key FROM inbox_message ORDER BY step_key");
  }
}
