package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.TestReconciliation.execute;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.run.ReconciliationRun.Status;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunLeaseTest {

  private static final LocalDate DAY = LocalDate.of(2025, 3, 14);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final String WAITING =
      """
      SELECT count(*) AS waiting
      FROM   pg_stat_activity
      WHERE  datname = current_database()
      AND    wait_event_type = 'Lock'
      """;

  private final RunLease one = new RunLease(UUID.randomUUID(), MINUTE);
  private final RunLease other = new RunLease(UUID.randomUUID(), MINUTE);

  @BeforeEach
  void empty() throws SQLException {
    TestReconciliation.empty();
  }

  private static Optional<UUID> request(RunLease at, LocalDate day) throws SQLException {
    return DatabaseTransaction.call(
        DATABASE, tx -> RunTable.request(tx, "test", day, "olga", at.owner(), MINUTE));
  }

  private static boolean schedule(int round, Duration after) throws SQLException {
    return DatabaseTransaction.call(DATABASE, tx -> RunTable.schedule(tx, "test", round, after));
  }

  private static Optional<LeasedRun> claim(RunLease lease) throws SQLException {
    return DatabaseTransaction.call(DATABASE, lease::claim);
  }

  private static ReconciliationRun find(UUID id) throws SQLException {
    return DatabaseTransaction.call(DATABASE, tx -> RunTable.find(tx, id)).orElseThrow();
  }

  private static List<LocalDate> days() throws SQLException {
    return DatabaseTransaction.call(DATABASE, tx -> RunTable.newest(tx, null, 100)).stream()
        .map(ReconciliationRun::day)
        .toList();
  }

  @Test
  void aDayIsNotComparedTwiceAtATime() throws SQLException {
    assertThat(request(one, DAY)).isPresent();
    assertThat(request(other, DAY)).isEmpty();
    assertThat(request(other, DAY.plusDays(1))).isPresent();
  }

  @Test
  void anOperatorsRunIsForTheReplicaThatHasTheToken() throws SQLException {
    request(one, DAY);

    assertThat(claim(other)).isEmpty();
    assertThat(claim(one)).isPresent();
  }

  @Test
  void oneRunIsUnderWayAtATime() throws SQLException {
    request(one, DAY);
    request(other, DAY.plusDays(1));
    LeasedRun run = claim(one).orElseThrow();

    assertThat(claim(other)).isEmpty();

    DatabaseTransaction.call(DATABASE, tx -> RunLease.complete(tx, run, new RunCounts(1, 2, 3, 3)));
    assertThat(claim(other)).isPresent();
    assertThat(find(run.id()).status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aRunWhoseLeaseIsOverBeginsAnewAndTheFirstAttemptWritesNothing() throws SQLException {
    UUID id = request(one, DAY).orElseThrow();
    LeasedRun first = claim(one).orElseThrow();
    execute("UPDATE reconciliation_run SET lease_expires_at = now() - interval '1 s'");

    LeasedRun second = claim(other).orElseThrow();

    assertThat(second.attempt()).isEqualTo(2);
    boolean isCompleted =
        DatabaseTransaction.call(
            DATABASE, tx -> RunLease.complete(tx, first, new RunCounts(0, 0, 0, 0)));
    assertThat(isCompleted).isFalse();
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          RunLease.fail(tx, first, "late", null);
          return true;
        });
    assertThat(find(id).status()).isEqualTo(Status.RUNNING);
  }

  /** PostgreSQL's clock was an hour ahead, and has been set back; before, it waited for an hour. */
  @Test
  void aRunThatWasMadeByAClockThatWasAheadIsDue() throws SQLException {
    request(one, DAY);
    execute(
        """
        UPDATE reconciliation_run
        SET    created_at = created_at + interval '1 hour', due_at = due_at + interval '1 hour'
        """);

    assertThat(claim(one)).isPresent();
  }

  /** PostgreSQL's clock was an hour ahead when it was claimed, and has been set back. */
  @Test
  void aRunThatWasClaimedByAClockThatWasAheadBeginsAnew() throws SQLException {
    request(one, DAY);
    request(other, DAY.plusDays(1));
    claim(one);
    execute("UPDATE reconciliation_run SET lease_expires_at = now() + interval '61 min'");

    assertThat(claim(other).orElseThrow().attempt()).isEqualTo(2);
  }

  /**
   * The first process stood still, and an operator's run came first. Both would fill and empty the
   * same table of entries.
   */
  @Test
  void aRunWhoseLeaseIsOverIsLostThoughAnotherOneIsClaimed() throws SQLException {
    schedule(0, Duration.ZERO);
    LeasedRun late = claim(one).orElseThrow();
    execute("UPDATE reconciliation_run SET lease_expires_at = now() - interval '1 s'");
    request(other, DAY);

    assertThat(claim(other).map(LeasedRun::day)).contains(DAY);
    extend(one);

    assertThat(isHeld(late)).isFalse();
    assertThat(claim(one)).isEmpty();
    assertThat(find(late.id()).status()).isEqualTo(Status.WAITING);
  }

  private static boolean isHeld(LeasedRun run) throws SQLException {
    return DatabaseTransaction.call(DATABASE, tx -> RunLease.holds(tx, run));
  }

  private static void extend(RunLease lease) throws SQLException {
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          lease.extend(tx);
          return true;
        });
  }

  /** What another system answered may be part of why. */
  @Test
  void anAttemptFailsForAnyReason() throws SQLException {
    UUID id = request(one, DAY).orElseThrow();
    LeasedRun run = claim(one).orElseThrow();

    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          RunLease.fail(tx, run, "answered 'a\0b'", null);
          return true;
        });

    assertThat(find(id).failure()).isEqualTo("answered 'a\ufffdb'");
  }

  /** The second process claims while the first one's claim is not committed. */
  @Test
  void oneOfTwoThatClaimAtOnceWaitsForTheOther() throws Exception {
    request(one, DAY);
    request(other, DAY.plusDays(1));
    FutureTask<Optional<LeasedRun>> second = new FutureTask<>(() -> claim(other));
    try (Connection first = DATABASE.getConnection()) {
      first.setAutoCommit(false);
      assertThat(one.claim(first)).isPresent();
      Thread.ofVirtual().start(second);
      Awaitility.await().until(() -> second.isDone() || isOneWaiting());
      first.commit();
    }

    assertThat(second.get()).isEmpty();
  }

  private static boolean isOneWaiting() throws SQLException {
    return DatabaseTransaction.call(
        DATABASE, tx -> Sql.query(tx, WAITING, row -> row.integer("waiting")).getFirst() == 1);
  }

  @Test
  void takesNoRunThatIsKeptForAnotherReplica() throws SQLException {
    request(one, DAY);
    request(other, DAY.plusDays(1));

    assertThat(claim(other).map(LeasedRun::day)).contains(DAY.plusDays(1));
  }

  @Test
  void aLeaseThatIsExtendedIsNotOver() throws SQLException {
    request(one, DAY);
    claim(one);
    execute("UPDATE reconciliation_run SET lease_expires_at = now() - interval '1 s'");

    extend(one);

    assertThat(claim(other)).isEmpty();
  }

  @Test
  void whatAReplicaGivesBackIsTakenByAnotherAtOnce() throws SQLException {
    request(one, DAY);
    claim(one);

    giveBack(other);
    assertThat(claim(other)).as("it had none to give back").isEmpty();

    giveBack(one);
    assertThat(claim(other).map(LeasedRun::attempt)).contains(2);
  }

  private static void giveBack(RunLease lease) throws SQLException {
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          lease.giveBack(tx);
          return true;
        });
  }

  @Test
  void aFailedAttemptWaitsOrEnds() throws SQLException {
    UUID id = request(one, DAY).orElseThrow();
    LeasedRun first = claim(one).orElseThrow();
    fail(first, Duration.ofMinutes(5));
    assertThat(find(id).status()).isEqualTo(Status.WAITING);
    assertThat(claim(one)).isEmpty();

    execute("UPDATE reconciliation_run SET due_at = now()");
    fail(claim(other).orElseThrow(), null);

    assertThat(find(id).status()).isEqualTo(Status.FAILED);
    assertThat(find(id).failure()).isEqualTo("no answer");
    assertThat(request(one, DAY)).isPresent();
  }

  private static void fail(LeasedRun run, @Nullable Duration pause) throws SQLException {
    DatabaseTransaction.call(
        DATABASE,
        tx -> {
          RunLease.fail(tx, run, "no answer", pause);
          return true;
        });
  }

  @Test
  void eachRoundOfADayIsScheduledOnce() throws SQLException {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);

    assertThat(schedule(0, Duration.ZERO)).isTrue();
    assertThat(schedule(0, Duration.ZERO)).isFalse();
    assertThat(schedule(1, Duration.ofDays(7))).isTrue();

    assertThat(days()).containsExactly(today.minusDays(8), today.minusDays(1));
  }

  @Test
  void daysThatWereMissedAreScheduledOneByOneUpToAWeek() throws SQLException {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    schedule(0, Duration.ZERO);
    execute("UPDATE reconciliation_run SET day = day - 20, status = 'FAILED', finished_at = now()");

    for (int i = 7; i > 0; i--) {
      assertThat(schedule(0, Duration.ZERO)).isTrue();
      assertThat(days().getFirst()).isEqualTo(today.minusDays(i));
    }
    assertThat(schedule(0, Duration.ZERO)).isFalse();
  }
}
