package io.onceflow.idempotency.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.FlakyDatabase;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.internal.retention.TestCollection;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Garbage collection, by example of the guard's records; in a schema where no others are. */
@Timeout(60)
class ExpiredRecordsTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("garbage");
  private static final Duration MOMENT = Duration.ofMillis(10);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @BeforeEach
  @AfterEach
  void empty() {
    DATABASE.update("DELETE FROM idempotency_record");
  }

  @Test
  void areDeletedInBatchesUntilNoneIsLeft() throws Exception {
    completed(8, "1 s");
    completed(2, "-1 h");
    assertThat(collector(new TestCollection().withBatchSize(3)).collect()).isEqualTo(8);
    assertThat(records()).isEqualTo(2);
    assertThat(metrics.get("onceflow.garbage.deleted").counter().count()).isEqualTo(8);
    assertThat(metrics.get("onceflow.garbage.batch").timer().count()).isEqualTo(3);
  }

  @Test
  void areDeletedNoLongerThanATurnLasts() throws Exception {
    completed(8, "1 s");
    GarbageCollector collector =
        collector(new TestCollection().withBatchSize(3).withLongestTurn(Duration.ZERO));
    assertThat(collector.collect()).isEqualTo(3);
    assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isEqualTo(5);
    assertThat(collector.collect()).isEqualTo(3);
    assertThat(collector.collect()).isEqualTo(2);
  }

  @Test
  void areKeptWhileALeaseHasNotEnded() throws Exception {
    leased("1 day", "-1 s");
    assertThat(collector(new TestCollection()).collect()).isZero();
    assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isZero();
  }

  /** Recovery, not garbage collection, ends such a claim. */
  @Test
  void areLeftToRecoveryForAnHourWhenALeaseHasEnded() throws Exception {
    leased("1 day", "59 min");
    assertThat(collector(new TestCollection()).collect()).isZero();
    leased("1 day", "61 min");
    assertThat(collector(new TestCollection()).collect()).isEqualTo(1);
  }

  /** After an outage that is longer than the retention, the sweep may come after the collection. */
  @Test
  void areLeftToRecoveryWhenTheCallerWasAnswered202() throws Exception {
    leased("2 days", "1 day");
    DATABASE.update("UPDATE idempotency_record SET accepted_at = now() - interval '3 days'");

    assertThat(collector(new TestCollection()).collect()).isZero();

    DATABASE.update(
        """
        UPDATE idempotency_record
        SET    status = 'COMPLETED', completed_at = now(), lease_expires_at = NULL,
               response_status = 200, response_headers = '{}', response_body = ''
        """);
    assertThat(collector(new TestCollection()).collect()).isEqualTo(1);
  }

  /** A claim that no sweep takes, as of an operation that was renamed, does not stay for ever. */
  @Test
  void areCollectedAfterThirtyDaysThoughTheCallerWasAnswered202() throws Exception {
    leased("32 days", "29 days");
    DATABASE.update("UPDATE idempotency_record SET accepted_at = now() - interval '33 days'");
    assertThat(collector(new TestCollection()).collect()).isZero();

    DATABASE.update("UPDATE idempotency_record SET lease_expires_at = now() - interval '31 days'");
    assertThat(collector(new TestCollection()).collect()).isEqualTo(1);
  }

  @Test
  void areLeftToWhoeverHasThemLocked() throws Exception {
    completed(3, "1 h");
    try (Connection other = DATABASE.begin();
        Statement lock = other.createStatement()) {
      lock.execute("SELECT FROM idempotency_record ORDER BY key LIMIT 2 FOR UPDATE");
      assertThat(collector(new TestCollection()).collect()).isEqualTo(1);
      assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isEqualTo(2);
      other.rollback();
    }
  }

  @Test
  void areSharedByManyReplicas() throws Exception {
    completed(500, "1 s");
    int replicas = 4;
    CyclicBarrier atOnce = new CyclicBarrier(replicas);
    Callable<Integer> replica =
        () -> {
          GarbageCollector collector = collector(new TestCollection().withBatchSize(7));
          atOnce.await();
          return collector.collect();
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(replicas)) {
      List<Future<Integer>> all =
          IntStream.range(0, replicas).mapToObj(i -> threads.submit(replica)).toList();
      int deleted = 0;
      for (Future<Integer> one : all) {
        deleted += one.get();
      }
      // A replica ends when all that is left is locked by others; each row was deleted once.
      assertThat(deleted + records()).isEqualTo(500);
    }
    collector(new TestCollection()).collect();
    assertThat(records()).isZero();
  }

  @Test
  void areCountedUpToABound() throws Exception {
    completed(10_050, "2 h");
    collector(new TestCollection().withBatchSize(1).withLongestTurn(Duration.ZERO)).collect();
    assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isEqualTo(10_000);
    double oldest =
        metrics
            .get("onceflow.garbage.oldest.age")
            .tag("table", "idempotency_record")
            .timeGauge()
            .value(java.util.concurrent.TimeUnit.MINUTES);
    assertThat(oldest).isBetween(120.0, 125.0);
  }

  @Test
  void areDeletedInTheBackgroundOnceStarted() {
    completed(20, "1 s");
    try (GarbageCollector collector =
        collector(
            new TestCollection()
                .withBatchSize(1)
                .withLongestTurn(Duration.ZERO)
                .withPauses(MOMENT, MOMENT))) {
      collector.start();
      await().until(() -> records() == 0);
      completed(1, "1 s");
      await().until(() -> records() == 0);
    }
  }

  @Test
  void areDeletedAgainOnceTheDatabaseIsBack() {
    FlakyDatabase flaky = new FlakyDatabase(DATABASE.source());
    flaky.goAway();
    completed(3, "1 s");
    try (GarbageCollector collector =
        new TestCollection()
            .withPauses(MOMENT, MOMENT)
            .of(IdempotencyCleanup.TABLE, flaky.source(), metrics)) {
      collector.start();
      await().until(() -> flaky.refusals() > 3);
      flaky.comeBack();
      await().until(() -> records() == 0);
    }
  }

  private GarbageCollector collector(TestCollection config) {
    return config.of(IdempotencyCleanup.TABLE, DATABASE.source(), metrics);
  }

  private static void completed(int count, String ago) {
    DATABASE.update(
        """
        INSERT INTO idempotency_record
               (scope, key, fingerprint, status, completed_at, expires_at,
                response_status, response_headers, response_body)
        SELECT 'scope', 'key-' || n || '-' || ?, '', 'COMPLETED', now(), now() - ?::interval,
               200, '{}', ''
        FROM   generate_series(1, ?) AS n
        """,
        ago,
        ago,
        count);
  }

  private static void leased(String expiredAgo, String endedAgo) {
    DATABASE.update(
        """
        INSERT INTO idempotency_record
               (scope, key, fingerprint, status, expires_at, lease_expires_at)
        VALUES ('scope', ?, '', 'STARTED', now() - ?::interval, now() - ?::interval)
        """,
        "leased-" + endedAgo,
        expiredAgo,
        endedAgo);
  }

  private static long records() {
    return DATABASE.number("SELECT count(*) FROM idempotency_record");
  }
}
