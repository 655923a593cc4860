package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.internal.store.ExpiredRecords;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.internal.retention.TestCollection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Days made ahead and days dropped, by example of the guard's records. */
@Timeout(60)
class DayPartitionsTest {

  private static final TestDatabase DATABASE =
      TestDatabase.inSchema("days", "onceflow/idempotency-partitioned");

  private static final String DAY = "idempotency_record_past";

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  /** What is left of the days to come is made by each test's first look. */
  @BeforeEach
  void forgetAllDays() {
    DATABASE.update("DELETE FROM idempotency_record");
    DATABASE
        .texts(
            """
            SELECT inhrelid::regclass FROM pg_inherits
            WHERE inhparent = 'idempotency_record'::regclass
            AND   inhrelid <> 'idempotency_record_default'::regclass
            """)
        .forEach(partition -> DATABASE.update("DROP TABLE " + partition));
  }

  @Test
  void areMadeForTodayAndFourDaysAhead() throws Exception {
    look();
    assertThat(days()).hasSize(5);
    assertThat(insert("today", "1 h")).isEqualTo(1);
    look();
    assertThat(days()).hasSize(5);
  }

  @Test
  void areMadeOnceByManyReplicas() throws Exception {
    int replicas = 4;
    CyclicBarrier atOnce = new CyclicBarrier(replicas);
    Callable<Boolean> replica =
        () -> {
          atOnce.await();
          look();
          return true;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(replicas)) {
      for (Future<Boolean> one :
          Stream.generate(() -> threads.submit(replica)).limit(replicas).toList()) {
        assertThat(one.get()).isTrue();
      }
    }
    assertThat(days()).hasSize(5);
  }

  @Test
  void areMadeAfterAGapWhenNobodyHasRunForLong() throws Exception {
    makePast(30, 29);
    look();
    assertThat(insert("today", "1 h")).isEqualTo(1);
  }

  /** Attaching locks the default partition, in which every transaction looks. */
  @Test
  void areMadeLaterWhenTheTableIsInUse() throws Exception {
    look();
    String last = days().getLast();
    DATABASE.update("DROP TABLE " + last);
    try (Connection user = DATABASE.begin();
        Statement statement = user.createStatement()) {
      insert(statement, "in use");
      look();
      assertThat(insert("while it is in use", "1 h")).isEqualTo(1);
      assertThat(days()).doesNotContain(last);
      user.commit();
    }
    look();
    assertThat(days()).contains(last);
  }

  /** Before, refused with "no partition of relation idempotency_record found for row". */
  @Test
  void receiveTheRowsThatCameBeforeTheyWereMade() throws Exception {
    assertThat(insert("no partition yet", "1 h")).isEqualTo(1);
    assertThat(insert("no partition yet", "1 h")).as("a key stays one key").isZero();
    look();
    assertThat(days()).hasSize(5);
    assertThat(DATABASE.number("SELECT count(*) FROM ONLY idempotency_record_default")).isZero();
    assertThat(insert("no partition yet", "1 h")).as("after it was moved").isZero();
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void areDroppedWhenAllTheirRowsHaveExpired() throws Exception {
    makePast(3, 2);
    insertPast("expired", "now() - interval '1 s'", null);
    look();
    assertThat(days()).doesNotContain(DAY);
    assertThat(metrics.get("onceflow.garbage.dropped.partitions").counter().count()).isEqualTo(1);
    assertThat(metrics.get("onceflow.garbage.deleted").counter().count()).isZero();
  }

  @Test
  void areKeptForOneRowThatHasNotExpired() throws Exception {
    makePast(3, 2);
    insertPast("expired", "now() - interval '1 s'", null);
    insertPast("kept longer", "now() + interval '1 h'", null);
    look();
    assertThat(days()).contains(DAY);
    assertThat(records()).isEqualTo(2);
  }

  @Test
  void areKeptForOneLeaseThatHasNotEnded() throws Exception {
    makePast(3, 2);
    insertPast("leased", "now() - interval '1 day'", "now() + interval '1 s'");
    look();
    assertThat(days()).contains(DAY);
    DATABASE.update("UPDATE idempotency_record SET lease_expires_at = now() - interval '59 min'");
    look();
    assertThat(days()).as("recovery's for an hour").contains(DAY);
    DATABASE.update("UPDATE idempotency_record SET lease_expires_at = now() - interval '61 min'");
    look();
    assertThat(days()).doesNotContain(DAY);
  }

  /** The neighbours of a row that is kept for long are deleted after two more days. */
  @Test
  void areEmptiedRowByRowWhereTheyCannotBeDropped() throws Exception {
    makePast(5, 4);
    insertPast("kept longer", "now() + interval '1 h'", null);
    insertPast("due for a day", "now() - interval '47 h'", null);
    insertPast("due for three", "now() - interval '49 h'", null);
    look();
    assertThat(DATABASE.texts("SELECT key FROM idempotency_record ORDER BY key"))
        .containsExactly("due for a day", "kept longer");
    assertThat(metrics.get("onceflow.garbage.backlog").gauge().value()).isZero();
  }

  /** The lock timeout is a tenth of a second. */
  @Test
  void areDroppedLaterWhenTheTableIsInUse() throws Exception {
    makePast(3, 2);
    look(); // Makes today, and drops the past.
    makePast(3, 2);
    try (Connection user = DATABASE.begin();
        Statement statement = user.createStatement()) {
      insert(statement, "in use");
      look();
      assertThat(days()).contains(DAY);
      user.commit();
    }
    look();
    assertThat(days()).doesNotContain(DAY);
  }

  /** While a drop waits for its lock, other statements wait behind it, but not for long. */
  @Test
  void holdNobodyUpWhileTheyCannotBeDropped() throws Exception {
    makePast(3, 2);
    look();
    makePast(3, 2);
    try (ExecutorService dropping = Executors.newSingleThreadExecutor();
        Connection user = DATABASE.begin();
        Statement statement = user.createStatement()) {
      insert(statement, "in use");
      Future<?> look =
          dropping.submit(
              () -> {
                look();
                return null;
              });
      await()
          .atMost(Duration.ofSeconds(5))
          .until(
              () ->
                  insert("while it is dropped " + System.nanoTime(), "1 h") == 1 && look.isDone());
      look.get();
      user.rollback();
    }
  }

  /** A row that comes to life between the first look and the lock is found by the second. */
  @Test
  void areLookedAtAgainUnderTheLock() throws Exception {
    look(); // Makes the days to come.
    makePast(3, 2);
    insertPast("owner was away", "now() - interval '1 day'", "now() - interval '2 h'");
    try (ExecutorService dropping = Executors.newSingleThreadExecutor();
        Connection owner = DATABASE.begin();
        Statement statement = owner.createStatement()) {
      statement.execute("UPDATE idempotency_record SET lease_expires_at = now() + interval '30 s'");
      Future<?> look =
          dropping.submit(
              () -> {
                new TestCollection()
                    .withLockTimeout(Duration.ofSeconds(20))
                    .of(ExpiredRecords.TABLE, DATABASE.source(), metrics)
                    .collect();
                return null;
              });
      await().until(DayPartitionsTest::isSomebodyWaitingForTheTable);
      owner.commit();
      look.get();
    }
    assertThat(records()).isEqualTo(1);
  }

  private static boolean isSomebodyWaitingForTheTable() {
    return DATABASE.number(
            """
            SELECT count(*)
            FROM   pg_locks
            WHERE  NOT granted
            AND    relation = 'idempotency_record'::regclass
            """)
        == 1;
  }

  /** A look of a replica that has not looked before. */
  private void look() throws SQLException {
    new TestCollection().of(ExpiredRecords.TABLE, DATABASE.source(), metrics).collect();
  }

  private static List<String> days() {
    return DATABASE.texts(
        """
        SELECT inhrelid::regclass::text AS day
        FROM   pg_inherits
        WHERE  inhparent = 'idempotency_record'::regclass
        AND    inhrelid <> 'idempotency_record_default'::regclass
        ORDER  BY day
        """);
  }

  private static void makePast(int since, int until) {
    DATABASE.update(
        "CREATE TABLE %s (LIKE idempotency_record INCLUDING ALL, PRIMARY KEY (scope, key))"
            .formatted(DAY));
    DATABASE.update(
        """
        DO $do$
        BEGIN
          EXECUTE format(
            'ALTER TABLE idempotency_record ATTACH PARTITION %s FOR VALUES FROM (%%L) TO (%%L)',
            date_trunc('day', now() - interval '%d days', 'UTC'),
            date_trunc('day', now() - interval '%d days', 'UTC'));
        END
        $do$
        """
            .formatted(DAY, since, until));
  }

  private static void insertPast(String key, String expiresAt, String leaseEnds) {
    String since =
        DATABASE.text(
            "SELECT substring(pg_get_expr(relpartbound, oid) FROM '''(.*?)''') FROM pg_class WHERE oid = '%s'::regclass"
                .formatted(DAY));
    DATABASE.update(
        """
        INSERT INTO idempotency_record
               (scope, key, fingerprint, status, created_at, expires_at, lease_expires_at)
        VALUES ('scope', ?, '', 'STARTED', ?::timestamptz, %s, %s)
        """
            .formatted(expiresAt, leaseEnds),
        key,
        since);
  }

  private static int insert(String key, String left) {
    return DATABASE.update(
        """
        INSERT INTO idempotency_record (scope, key, fingerprint, status, expires_at)
        VALUES ('scope', ?, '', 'STARTED', now() + ?::interval)
        """,
        key,
        left);
  }

  private static void insert(Statement statement, String key) throws SQLException {
    statement.execute(
        """
        INSERT INTO idempotency_record (scope, key, fingerprint, status, expires_at)
        VALUES ('scope', '%s', '', 'STARTED', now() + interval '1 h')
        """
            .formatted(key));
  }

  private static long records() {
    return DATABASE.number("SELECT count(*) FROM idempotency_record");
  }
}
