package io.onceflow.reconciliation.internal.difference;

import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static io.onceflow.reconciliation.internal.difference.MendingFixture.OLGA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.internal.TestReconciliation;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One mend of a difference at a time, whatever becomes of the processes that do it. */
class MendLeaseTest {

  private final MendingFixture fixture = new MendingFixture();

  @BeforeEach
  void empty() throws SQLException {
    TestReconciliation.empty();
  }

  @Test
  void isRefusedWhileAnotherMendIsUnderWay() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET status = 'MENDING', mending_until = now() + interval"
            + " '1 min'");

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "too"))
        .hasMessageContaining("a mend of it is under way");
    assertThat(fixture.calls).isEmpty();
  }

  /** PostgreSQL's clock was an hour ahead when the other one began, and has been set back. */
  @Test
  void isNotRefusedForAMendByAClockThatWasAhead() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET status = 'MENDING', mending_until = now() + interval"
            + " '1 h'");

    assertThat(fixture.mending.mend(id, OLGA, "once").status()).isEqualTo(Status.MENDED);
  }

  /** The first one calls the other system; the second one is pressed meanwhile. */
  @Test
  void isCarriedOutOnceThoughItIsPressedTwice() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    fixture.whileCalled =
        () -> {
          called.countDown();
          answered.await();
        };
    FutureTask<Difference> first = new FutureTask<>(() -> fixture.mending.mend(id, OLGA, "first"));
    Thread.ofVirtual().start(first);
    called.await();

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "second"))
        .hasMessageContaining("a mend of it is under way");
    answered.countDown();

    assertThat(first.get().status()).isEqualTo(Status.MENDED);
    assertThat(fixture.calls).hasSize(1);
  }

  /** Its process stood still for longer than its lease. */
  @Test
  void doesNotEndAnotherMendThatHasBegunMeanwhile() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.whileCalled =
        () -> {
          leaseEnds();
          begin(id);
          throw new IOException("no answer");
        };

    assertThatThrownBy(() -> fixture.mending.mend(id, OLGA, "first"))
        .isInstanceOf(MendRefused.class);

    assertThatThrownBy(() -> fixture.mending.dismiss(id, OLGA, "not yet"))
        .hasMessageContaining("it is MENDING");
  }

  @Test
  void recordsNothingOfAMendOnceAnotherOneHasBegun() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.whileCalled =
        () -> {
          leaseEnds();
          begin(id);
        };

    assertThat(fixture.mending.mend(id, OLGA, "first").status()).isEqualTo(Status.MENDING);
    assertThat(fixture.find(id).outcome()).isNull();
  }

  @Test
  void staysUnderWayThoughARunFindsItAgain() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.whileCalled = () -> fixture.found("stray", Kind.MISSING_HERE);

    assertThat(fixture.mending.mend(id, OLGA, "once").status()).isEqualTo(Status.MENDED);
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void isNotDismissedWhileAMendIsUnderWay() throws Exception {
    UUID id = fixture.found("stray", Kind.MISSING_HERE);
    fixture.whileCalled =
        () ->
            assertThatThrownBy(() -> fixture.mending.dismiss(id, OLGA, "meanwhile"))
                .hasMessageContaining("it is MENDING");

    assertThat(fixture.mending.mend(id, OLGA, "once").status()).isEqualTo(Status.MENDED);
  }

  private static void leaseEnds() throws SQLException {
    TestReconciliation.execute(
        "UPDATE reconciliation_difference SET mending_until = now() - interval '1 s'");
  }

  private static void begin(UUID id) throws SQLException {
    Optional<Instant> until =
        DatabaseTransaction.call(DATABASE, tx -> DifferenceTable.beginMend(tx, id, "second"));
    assertThat(until).isPresent();
  }
}
