package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.internal.repair.RepairFixture.leaseRunsOut;
import static io.onceflow.saga.internal.repair.RepairFixture.passASecond;
import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who works on a repair, and how fast, whatever becomes of the processes that do it. */
@Timeout(value = 120, unit = SECONDS)
@Tag("nightly")
class RepairLeaseTest {

  private final RepairFixture fixture = new RepairFixture();
  private final Shop shop = fixture.shop;

  @BeforeAll
  static void makeTables() {
    RepairFixture.makeTables();
  }

  @BeforeEach
  void emptyTables() throws SQLException {
    RepairFixture.empty();
  }

  /** The first process is killed after three of ten: nothing is asked twice, and nothing left. */
  @Test
  void goesOnAfterARestartInTheMidst() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    fixture.replica().take();
    leaseRunsOut();
    AtomicInteger left = new AtomicInteger(4);
    passASecond();
    fixture.replica(() -> left.getAndDecrement() > 0).take();
    assertThat(fixture.asked).hasSize(3);

    leaseRunsOut();
    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.asked).hasSize(10);
    assertThat(new HashSet<>(fixture.asked)).hasSize(10);
    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
  }

  /** PostgreSQL's clock was an hour ahead when the first process died, and has been set back. */
  @Test
  void goesOnAfterTheClockWasSetBack() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    fixture.replica().take();
    SagaDatabase.execute(
        """
        UPDATE saga_repair
        SET    lease_expires_at = now() + interval '1 h', spent_until = now() + interval '1 h'
        """);

    takeAFewTurns(fixture.replica());

    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
  }

  /** Before: as long as it was there, no repair after it went on. */
  @Test
  void goesOnBesideOneThatCannotBeRead() throws SQLException {
    shop.place(10);
    UUID bad = fixture.start(retryOfRunning(50));
    SagaDatabase.execute("UPDATE saga_repair SET filter = '[]', filter_hash = '\\x00'");
    UUID repair = fixture.start(retryOfRunning(100));

    takeAFewTurns(fixture.replica());

    assertThat(bad).isLessThan(repair);
    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
  }

  /** However little becomes of them. */
  private static void takeAFewTurns(RepairTurn replica) throws SQLException {
    for (int turn = 0; turn < 5; turn++) {
      passASecond();
      replica.take();
    }
  }

  @Test
  void isWorkedOnByOneOfTwoReplicas() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTurn first = fixture.replica();
    RepairTurn second = fixture.replica();
    first.take();

    passASecond();
    second.take();
    assertThat(fixture.asked).as("the first holds it").isEmpty();

    fixture.takeTurns(first, repair);
    assertThat(fixture.asked).hasSize(10);
  }

  /** It was only slow: what it would do after its lease is refused by the fencing token. */
  @Test
  void isNotWorkedOnByAProcessWhoseLeaseWasTakenOver() throws SQLException {
    shop.place(10);
    fixture.start(retryOfRunning(100));
    fixture.replica().take();
    leaseRunsOut();
    passASecond();
    AtomicInteger looks = new AtomicInteger();
    RepairTurn other = fixture.replica(() -> false);

    RepairTurn slow =
        fixture.replica(
            () -> {
              if (looks.incrementAndGet() == 4) {
                takeOver(other);
              }
              return true;
            });
    slow.take();

    assertThat(fixture.asked).hasSize(2);
  }

  private static void takeOver(RepairTurn other) {
    try {
      leaseRunsOut();
      other.take();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void asksNoSagaOnceItIsStopped() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    fixture.replica().take();
    leaseRunsOut();
    passASecond();
    AtomicInteger looks = new AtomicInteger();

    fixture
        .replica(
            () -> {
              if (looks.incrementAndGet() == 5) {
                stop(repair);
              }
              return true;
            })
        .take();

    assertThat(fixture.asked).hasSize(3);
    assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.STOPPED);
    assertThat(fixture.done(repair)).isEqualTo(new Done(3, 0, 0, 0, 7));
  }

  private void stop(UUID repair) {
    try {
      fixture.repairs().stop(repair, "otto", "wrong ones");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void restsWhileItIsPausedAndGoesOnAfterwards() throws SQLException {
    shop.place(3);
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTurn replica = fixture.replica();
    replica.take();
    fixture.repairs().pause(repair, "otto", null);
    passASecond();

    replica.take();
    assertThat(fixture.asked).isEmpty();

    fixture.repairs().resume(repair, "otto", null);
    fixture.takeTurns(replica, repair);
    assertThat(fixture.asked).hasSize(3);
  }

  @Test
  void asksNoMoreSagasThanItsRateAllows() throws SQLException {
    shop.place(30);
    fixture.start(retryOfRunning(5));
    RepairTurn replica = fixture.replica();
    replica.take();
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() - interval '1 h'");

    replica.take();
    assertThat(fixture.asked).as("a second's worth, however long it rested").hasSize(5);
    assertThat(RepairFixture.hasUsedUpItsAllowance()).isTrue();

    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() + interval '1 min'");
    replica.take();
    assertThat(fixture.asked).as("the allowance is used up").hasSize(5);
  }

  /** It would be used up by each of them otherwise. */
  @Test
  void keepsItsAllowanceWhenAnotherReplicaGoesOn() throws SQLException {
    shop.place(30);
    fixture.start(retryOfRunning(5));
    fixture.replica().take();
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() + interval '1 min'");
    leaseRunsOut();

    fixture.replica().take();

    assertThat(fixture.asked).isEmpty();
  }
}
