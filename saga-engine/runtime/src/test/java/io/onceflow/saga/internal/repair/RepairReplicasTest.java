package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.internal.repair.RepairFixture.passASecond;
import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How fast a repair goes on, whatever becomes of the processes that carry it out. */
@Timeout(value = 120, unit = SECONDS)
@Tag("nightly")
class RepairReplicasTest {

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

  /** The first process is killed within the fourth transaction: nothing of it is kept. */
  @Test
  void goesOnAfterACrashInTheMidst() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    passASecond();
    RepairTimer killed =
        fixture.replica(
            (tx, saga, request) -> {
              if (fixture.asked.size() == 3) {
                shop.request(tx.connection(), saga, request.action().request(request.asked()));
                throw new IllegalStateException(new SQLException("killed", "57P01"));
              }
              return fixture.ask(tx, saga, request);
            });
    assertThatThrownBy(killed::turn).isInstanceOf(IllegalStateException.class);
    assertThat(fixture.done(repair)).isEqualTo(new Done(3, 0, 0, 0, 7));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.asked).hasSize(10);
    assertThat(new HashSet<>(fixture.asked)).hasSize(10);
    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
  }

  @Test
  void asksEachSagaOnceWhenTwoReplicasWorkAtTheSameTime() throws Exception {
    shop.place(60);
    UUID repair = fixture.start(retryOfRunning(1_000));
    Callable<Void> worksUntilItsEnd =
        () -> {
          fixture.takeTurns(fixture.replica(), repair);
          return null;
        };
    try (ExecutorService replicas = Executors.newFixedThreadPool(2)) {
      for (Future<Void> each : replicas.invokeAll(List.of(worksUntilItsEnd, worksUntilItsEnd))) {
        each.get();
      }
    }

    assertThat(fixture.asked).hasSize(60);
    assertThat(new HashSet<>(fixture.asked)).hasSize(60);
    assertThat(fixture.done(repair)).isEqualTo(new Done(60, 0, 0, 0, 0));
  }

  /** PostgreSQL's clock was an hour ahead when the allowance was spent, and has been set back. */
  @Test
  void goesOnAfterTheClockWasSetBack() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() + interval '1 h'");

    fixture.replica().turn();
    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
  }

  /** A newer release has written it, and was rolled back: what it would undo is not known here. */
  @Test
  void failsTheSagasOfAFilterThatCannotBeReadAndGoesOnWithTheOtherRepair() throws SQLException {
    shop.place(10);
    UUID bad = fixture.start(RepairFixture.of(SagaDetails.Kind.CANCEL, SagaStatus.RUNNING, 100));
    String filter = "UPDATE saga_repair SET filter = '%s' WHERE id = '%s'";
    SagaDatabase.execute(filter.formatted("{\"status\": \"RUNNING\", \"colour\": \"red\"}", bad));
    UUID repair = fixture.start(retryOfRunning(100));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(10, 0, 0, 0, 0));
    assertThat(shop.view(fixture.asked.getFirst()).reason()).isNull();
  }

  /** Its answer waits for the transaction under way; none follows. */
  @Test
  void asksNoSagaOnceAStopIsAnswered() throws Exception {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(100));
    passASecond();
    CountDownLatch third = new CountDownLatch(3);
    RepairTimer replica =
        fixture.replica(
            (tx, saga, request) -> {
              third.countDown();
              return fixture.ask(tx, saga, request);
            });
    try (ExecutorService others = Executors.newSingleThreadExecutor()) {
      Future<Boolean> turn = others.submit(replica::turn);
      third.await();
      fixture.repairs().stop(repair, "otto", "wrong ones");
      int asked = fixture.asked.size();
      turn.get();
      passASecond();
      replica.turn();

      assertThat(fixture.asked).hasSize(asked);
      assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.STOPPED);
      assertThat(fixture.done(repair)).isEqualTo(new Done(asked, 0, 0, 0, 10 - asked));
    }
  }

  @Test
  void restsWhileItIsPausedAndGoesOnAfterwards() throws SQLException {
    shop.place(3);
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTimer replica = fixture.replica();
    fixture.repairs().pause(repair, "otto", null);
    passASecond();

    replica.turn();
    assertThat(fixture.asked).isEmpty();

    fixture.repairs().resume(repair, "otto", null);
    fixture.takeTurns(replica, repair);
    assertThat(fixture.asked).hasSize(3);
  }

  /** The allowance is one for all replicas, and a rest does not become a burst. */
  @Test
  void asksNoMoreSagasThanItsRateAllows() throws SQLException {
    shop.place(30);
    fixture.start(retryOfRunning(5));
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() - interval '1 h'");

    long begun = System.nanoTime();
    fixture.replica().turn();
    long growth = 5 * (System.nanoTime() - begun) / SECONDS.toNanos(1);
    assertThat(fixture.asked)
        .as("a second's worth, however long it rested, and what came while it was asked for")
        .hasSizeBetween(5, 6 + (int) growth);

    int asked = fixture.asked.size();
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() + interval '1 s'");
    fixture.replica().turn();
    assertThat(fixture.asked).as("the allowance is used up").hasSize(asked);
  }
}
