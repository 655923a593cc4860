package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.PlaceOrder.paymentDeclined;
import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.internal.repair.RepairFixture.passASecond;
import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.repair.Repair.FailureReason;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of sagas that are repaired. */
@Timeout(value = 120, unit = SECONDS)
class RepairTimerTest {

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

  @Test
  void sendsAgainWhatEachSagaWaitsFor() throws SQLException {
    List<UUID> sagas = shop.place(3);
    UUID repair = fixture.start(retryOfRunning(100));
    shop.heard();

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(shop.heard()).containsOnly("process-payment").hasSize(3);
    assertThat(fixture.asked).containsExactlyInAnyOrderElementsOf(sagas);
    assertThat(shop.view(sagas.getFirst()).history())
        .extracting(SagaView.Entry::detail)
        .contains("by olga: repair %s: it is back".formatted(repair));
    assertThat(fixture.done(repair)).isEqualTo(new Done(3, 0, 0, 0, 0));
  }

  @Test
  void countsASagaAsRepairedOnlyOnceItWasAnswered() throws SQLException {
    UUID saga = shop.placeOne();
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTimer replica = fixture.replica();
    fixture.takeTurns(replica, repair);

    sendAgainByTheTimer();
    replica.turn();
    assertThat(fixture.done(repair))
        .as("sent again, not answered")
        .isEqualTo(new Done(1, 0, 0, 0, 0));

    shop.deliver(saga, paymentProcessed());
    replica.turn();
    assertThat(fixture.done(repair)).isEqualTo(new Done(0, 1, 0, 0, 0));
    assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.FINISHED);
    assertThat(fixture.read(repair).finishedAt()).isNotNull();
    assertThat(RepairFixture.audited()).containsExactly("olga repair-start", "olga repair-finish");
  }

  /** The timer gives up on an answer: that is no progress, although the status is another. */
  @Test
  void doesNotCountASagaAsRepairedThatBecomesStuck() throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentRejected());
    UUID repair =
        fixture.start(RepairFixture.of(SagaDetails.Kind.RETRY, SagaStatus.COMPENSATING, 100));
    RepairTimer replica = fixture.replica();
    fixture.takeTurns(replica, repair);

    while (shop.view(saga).status() != SagaStatus.STUCK) {
      sendAgainByTheTimer();
    }
    replica.turn();

    assertThat(fixture.done(repair)).isEqualTo(new Done(1, 0, 0, 0, 0));
  }

  @Test
  void countsASagaAsRepairedThatIsGone() throws SQLException {
    UUID saga = shop.placeOne();
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTimer replica = fixture.replica();
    fixture.takeTurns(replica, repair);

    SagaDatabase.execute("DELETE FROM saga_instance WHERE id = '%s'".formatted(saga));
    replica.turn();

    assertThat(fixture.done(repair)).isEqualTo(new Done(0, 1, 0, 0, 0));
  }

  @Test
  void countsASagaAsFailedThatDoesNotMoveOn() throws SQLException {
    UUID saga = shop.placeOne();
    fixture.movedOnWithin = Duration.ZERO;
    UUID repair = fixture.start(retryOfRunning(100));
    RepairTimer replica = fixture.replica();

    fixture.takeTurns(replica, repair);
    replica.turn();

    assertThat(fixture.done(repair)).isEqualTo(new Done(0, 0, 1, 0, 0));
    assertThat(fixture.sagas(repair, RepairOutcome.FAILED))
        .extracting(RepairedSaga::saga, RepairedSaga::why)
        .containsExactly(tuple(saga, "it was requested, and has not moved on within PT0S"));
  }

  @Test
  void goesOnWithTheOthersWhenOneFails() throws SQLException {
    List<UUID> sagas = shop.place(5);
    UUID poisoned = sagas.get(2);
    UUID repair = fixture.start(retryOfRunning(100));

    RepairTimer replica =
        fixture.replica(
            (tx, saga, request) -> {
              if (saga.equals(poisoned)) {
                throw new IllegalStateException("alice's card 4242");
              }
              return fixture.ask(tx, saga, request);
            });
    fixture.takeTurns(replica, repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(4, 0, 1, 0, 0));
    assertThat(fixture.read(repair).failureReasons())
        .containsExactly(new FailureReason("the service failed; its log of now has the cause", 1));
    assertThat(fixture.sagas(repair, RepairOutcome.FAILED))
        .extracting(RepairedSaga::saga)
        .containsExactly(poisoned);
  }

  @Test
  void refusesASagaThatIsGone() throws SQLException {
    UUID saga = shop.placeOne();
    UUID repair = fixture.start(retryOfRunning(100));
    SagaDatabase.execute("DELETE FROM saga_instance WHERE id = '%s'".formatted(saga));

    fixture.takeTurns(fixture.replica((tx, id, request) -> new OperatorAnswer.Unknown()), repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(0, 0, 0, 1, 0));
  }

  @Test
  void tellsWhichSagasRefusedAndWhy() throws SQLException {
    List<UUID> sagas = shop.place(2);
    UUID repair = fixture.start(retryOfRunning(100));
    shop.deliver(sagas.getFirst(), paymentDeclined());

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.done(repair)).isEqualTo(new Done(1, 0, 0, 1, 0));
    assertThat(fixture.read(repair).failureReasons())
        .containsExactly(new FailureReason("it has ended as COMPENSATED", 1));
  }

  @Test
  void undoesWhatIsToBeCompensated() throws SQLException {
    UUID saga = shop.placeOne();
    UUID repair =
        fixture.start(RepairFixture.of(SagaDetails.Kind.COMPENSATE, SagaStatus.RUNNING, 100));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(shop.view(saga).reason()).isEqualTo("COMPENSATED_BY_OPERATOR");
  }

  /** Seen red: it was undone, though it had been answered since it was chosen. */
  @Test
  void undoesNothingThatTheFilterDoesNotFindAnyMore() throws SQLException {
    List<UUID> sagas = shop.place(2);
    UUID repair =
        fixture.start(
            RepairFixture.of(
                SagaDetails.Kind.COMPENSATE,
                Map.of("status", "RUNNING", "step", "process-payment"),
                100));
    shop.deliver(sagas.getFirst(), paymentProcessed());

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(shop.view(sagas.getFirst()).reason()).isNull();
    assertThat(shop.view(sagas.getLast()).reason()).isEqualTo("COMPENSATED_BY_OPERATOR");
    assertThat(fixture.read(repair).failureReasons())
        .containsExactly(new FailureReason("the filter does not find it any more", 1));
  }

  @Test
  void cancelsWithTheReasonThatAnOperatorDid() throws SQLException {
    UUID saga = shop.placeOne();
    UUID repair = fixture.start(RepairFixture.of(SagaDetails.Kind.CANCEL, SagaStatus.RUNNING, 100));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(shop.view(saga).reason()).isEqualTo("CANCELLED_BY_OPERATOR");
  }

  @Test
  void leavesAloneWhatWasStartedLater() throws SQLException {
    List<UUID> sagas = shop.place(2);
    UUID repair = fixture.start(retryOfRunning(100));
    shop.placeOne();

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.asked).containsExactlyInAnyOrderElementsOf(sagas);
    assertThat(fixture.read(repair).total()).isEqualTo(2);
  }

  /** One statement marks them. */
  @Test
  void marksAsManySagasAsThereAre() throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance
               (id, definition, version, subject_id, scope, root_key, origin, status, revision,
                next_action_at, started_at, steps)
        SELECT gen_random_uuid(), 'place-order', 1, gen_random_uuid(), 'alice', n::text,
               'shop/place-order', 'STUCK', 3, now(), now() - interval '1 h', '[]'
        FROM   generate_series(1, 20000) AS n
        """);

    UUID repair = fixture.start(RepairFixture.of(SagaDetails.Kind.RETRY, SagaStatus.STUCK, 1));

    assertThat(fixture.read(repair).total()).isEqualTo(20_000);
    assertThat(fixture.sagas(repair, null)).hasSize(1_000);
  }

  /** The numbers that are read are those of the sagas' list. */
  @Test
  void countsWhatItsListHas() throws SQLException {
    List<UUID> sagas = shop.place(6);
    UUID repair = fixture.start(retryOfRunning(3));
    RepairTimer replica = fixture.replica();
    shop.deliver(sagas.getFirst(), paymentDeclined());
    passASecond();
    replica.turn();
    for (UUID saga : sagas.subList(1, 6)) {
      shop.deliver(saga, paymentProcessed());
    }
    replica.turn();

    Done done = fixture.done(repair);
    assertThat(counted(repair, RepairOutcome.PENDING)).isEqualTo(done.pending());
    assertThat(counted(repair, RepairOutcome.REQUESTED)).isEqualTo(done.requested());
    assertThat(counted(repair, RepairOutcome.REPAIRED)).isEqualTo(done.repaired());
    assertThat(counted(repair, RepairOutcome.REFUSED)).isEqualTo(done.refused());
    assertThat(fixture.read(repair).total()).isEqualTo(6);
  }

  @Test
  void tellsForHowLongARepairStandsStill() throws SQLException {
    shop.place(1);
    fixture.start(retryOfRunning(100));
    SagaDatabase.execute(
        "UPDATE saga_repair SET spent_until = now() - interval '1 h'; UPDATE saga_repair_item SET at = now() - interval '20 min'");
    RepairMetrics metrics = new RepairMetrics(fixture.meters);

    metrics.look(fixture.unitOfWork);

    assertThat(fixture.meters.get("onceflow.repairs.standing.still").timeGauge().value(SECONDS))
        .isBetween(1_199.0, 1_260.0);
    assertThat(
            fixture
                .meters
                .get("onceflow.repairs.unfinished")
                .tag("status", "RUNNING")
                .gauge()
                .value())
        .isEqualTo(1);
  }

  private int counted(UUID repair, RepairOutcome outcome) throws SQLException {
    return fixture.sagas(repair, outcome).size();
  }

  private void sendAgainByTheTimer() throws SQLException {
    Shop.passDeadlines();
    shop.fireDue(10);
  }
}
