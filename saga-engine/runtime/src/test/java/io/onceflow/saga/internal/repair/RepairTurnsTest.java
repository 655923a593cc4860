package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.internal.repair.RepairFixture.passASecond;
import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose turn it is: a saga that fails, is locked or is not known costs the others nothing. */
@Timeout(value = 120, unit = SECONDS)
class RepairTurnsTest {

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

  /** What they have spent is rolled back with them. */
  @Test
  void asksSagasThatFailNoFasterThanItsRate() throws SQLException {
    shop.place(10);
    UUID repair = fixture.start(retryOfRunning(2));
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = now() - interval '1 h'");
    RepairTimer replica =
        fixture.replica(
            (tx, saga, request) -> {
              throw new IllegalStateException("a fault");
            });

    long begun = System.nanoTime();
    replica.turn();

    int growth = (int) (2 * (System.nanoTime() - begun) / SECONDS.toNanos(1));
    assertThat(fixture.done(repair).failed()).isBetween(1, 3 + growth);
    assertThat(
            fixture.meters.get("onceflow.repairs.sagas").tag("outcome", "failed").counter().count())
        .isEqualTo(fixture.done(repair).failed());
  }

  /** As in a rollout: another replica follows the saga's version. */
  @Test
  void leavesASagaThatItDoesNotKnowToAReplicaThatDoes() throws SQLException {
    List<UUID> sagas = shop.place(3);
    UUID newer = sagas.getFirst();
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTimer older =
        fixture.replica(
            (tx, saga, request) ->
                saga.equals(newer) ? new OperatorAnswer.Unknown() : fixture.ask(tx, saga, request));
    while (fixture.done(repair).requested() < 2) {
      passASecond();
      older.turn();
    }
    assertThat(fixture.done(repair)).isEqualTo(new Done(2, 0, 0, 0, 1));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(3, 0, 0, 0, 0));
  }

  /** A transaction keeps the lock of the first: the others of the repair do not wait for it. */
  @Test
  void goesOnWithTheOthersWhenOneIsLocked() throws SQLException {
    List<UUID> sagas = shop.place(3);
    UUID repair = fixture.start(retryOfRunning(100));
    AtomicReference<UUID> locked = new AtomicReference<>();

    RepairTimer replica =
        fixture.replica(
            (tx, saga, request) -> {
              if (locked.compareAndSet(null, saga) || saga.equals(locked.get())) {
                throw new IllegalStateException(new SQLException("locked", "55P03"));
              }
              return fixture.ask(tx, saga, request);
            });
    while (fixture.done(repair).requested() < 2) {
      passASecond();
      replica.turn();
    }

    assertThat(fixture.asked).hasSize(2).isSubsetOf(sagas).doesNotContain(locked.get());
    assertThat(fixture.done(repair)).isEqualTo(new Done(2, 0, 0, 0, 1));
  }

  /** The one whose saga is locked has waited longest, and is not always the next for that. */
  @Test
  void goesOnWithTheOtherRepairWhenTheSagasOfOneAreLocked() throws SQLException {
    List<UUID> stuck = shop.place(1);
    UUID locked = fixture.start(retryOfRunning(100));
    List<UUID> others = shop.place(5);
    UUID other = fixture.start(RepairFixture.of(SagaDetails.Kind.CANCEL, SagaStatus.RUNNING, 100));
    SagaDatabase.execute(
        "DELETE FROM saga_repair_item WHERE repair_id = '%s' AND saga_id = '%s'; UPDATE saga_repair SET spent_until = now() - interval '1 h' WHERE id = '%s'"
            .formatted(other, stuck.getFirst(), locked));
    RepairTimer replica =
        fixture.replica(
            (tx, saga, request) -> {
              if (stuck.contains(saga)) {
                throw new IllegalStateException(new SQLException("locked", "55P03"));
              }
              return fixture.ask(tx, saga, request);
            });

    // How many a turn asks depends on how long it takes.
    while (fixture.asked.size() < others.size()) {
      replica.turn();
      passASecond();
    }

    assertThat(fixture.asked).containsExactlyInAnyOrderElementsOf(others);
    assertThat(fixture.done(locked).pending()).isEqualTo(1);
  }
}
