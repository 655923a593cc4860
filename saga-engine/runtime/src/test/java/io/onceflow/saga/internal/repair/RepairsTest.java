package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.repair.RepairRefused.Because;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators may do with repairs, and what is recorded of it. */
@Timeout(value = 60, unit = SECONDS)
class RepairsTest {

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
  void areNotTheSameTwiceAtATime() throws SQLException {
    Repairs repairs = fixture.repairs();
    UUID first = repairs.start(retryOfRunning(20), "olga").id();

    assertThatThrownBy(() -> repairs.start(retryOfRunning(50), "otto"))
        .isInstanceOfSatisfying(
            RepairRefused.class, it -> assertThat(it.because()).isEqualTo(Because.UNDER_WAY))
        .hasMessageContaining(first.toString());
    assertThat(repairs.newest(null, 10)).hasSize(1);
    repairs.start(RepairFixture.of(RepairAction.CANCEL, SagaStatus.RUNNING, 20), "otto");
    repairs.start(RepairFixture.of(RepairAction.RETRY, SagaStatus.STUCK, 20), "otto");

    repairs.stop(first, "olga", null);
    repairs.start(retryOfRunning(50), "otto");
    assertThat(repairs.newest(null, 10)).hasSize(4);
  }

  @Test
  void areNotTheSameTwiceWhenTwoOperatorsStartThemAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    Callable<Boolean> start =
        () -> {
          together.await();
          try {
            fixture.repairs().start(retryOfRunning(20), "olga");
            return true;
          } catch (RepairRefused refused) {
            return false;
          }
        };
    try (ExecutorService operators = Executors.newFixedThreadPool(2)) {
      List<Future<Boolean>> both = operators.invokeAll(List.of(start, start));
      assertThat(List.of(both.get(0).get(), both.get(1).get()))
          .containsExactlyInAnyOrder(true, false);
    }
  }

  @Test
  void waitForASecondOperatorWhenTheyUndoTooMany() throws SQLException {
    shop.place(3);
    fixture.approvalAbove = 2;
    UUID repair = startCompensation().id();
    RepairTurn replica = fixture.replica();
    assertRefused(Because.REFUSES, () -> fixture.repairs().approve(repair, "otto", null));
    replica.take();
    replica.take();
    assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.AWAITING_APPROVAL);
    assertThat(fixture.read(repair).total()).as("what is approved").isEqualTo(3);
    assertThat(fixture.asked).isEmpty();

    assertRefused(
        Because.SECOND_OPERATOR_NEEDED, () -> fixture.repairs().approve(repair, "olga", null));
    fixture.takeTurns(replica, fixture.repairs().approve(repair, "otto", "seen").id());

    assertThat(fixture.asked).hasSize(3);
    assertThat(fixture.read(repair).approvedBy()).isEqualTo("otto");
    assertThat(RepairFixture.audited()).contains("olga repair-start", "otto repair-approve");
  }

  @Test
  void doNotWaitWhenTheyUndoFewOrOnlySendAgain() throws SQLException {
    shop.place(2);
    fixture.approvalAbove = 2;
    assertThat(startCompensation().status()).isEqualTo(RepairStatus.RUNNING);

    shop.place(2);
    assertThat(fixture.repairs().start(retryOfRunning(20), "olga").status())
        .isEqualTo(RepairStatus.RUNNING);
  }

  @Test
  void doNotWaitWhereNobodyHasToApprove() throws SQLException {
    shop.place(3);
    assertThat(startCompensation().status()).isEqualTo(RepairStatus.RUNNING);
  }

  /** Sagas come to match between the start and when they are chosen. */
  @Test
  void waitForASecondOperatorWhenTheyTurnOutToUndoTooMany() throws SQLException {
    List<UUID> sagas = shop.place(3);
    fixture.approvalAbove = 2;
    String change = "UPDATE saga_instance SET status = '%s' WHERE id = '%s'";
    SagaDatabase.execute("UPDATE saga_instance SET deadline_at = NULL");
    SagaDatabase.execute(change.formatted("STUCK", sagas.getFirst()));
    UUID repair = startCompensation().id();
    SagaDatabase.execute(change.formatted("RUNNING", sagas.getFirst()));

    fixture.replica().take();

    assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.AWAITING_APPROVAL);
    assertThat(fixture.asked).isEmpty();
  }

  @Test
  void refuseWhatMakesNoSenseForThem() throws SQLException {
    Repairs repairs = fixture.repairs();
    UUID repair = repairs.start(retryOfRunning(20), "olga").id();

    assertRefused(Because.REFUSES, () -> repairs.resume(repair, "olga", null));
    assertRefused(Because.REFUSES, () -> repairs.approve(repair, "otto", null));
    repairs.stop(repair, "olga", null);
    assertRefused(Because.REFUSES, () -> repairs.stop(repair, "olga", null));
    assertRefused(Because.REFUSES, () -> repairs.pause(repair, "olga", null));
    assertRefused(Because.UNKNOWN, () -> repairs.stop(UUID.randomUUID(), "olga", null));
    assertThat(RepairFixture.audited()).containsExactly("olga repair-start", "olga repair-stop");
  }

  @Test
  void areListedNewestFirstPageByPage() throws SQLException {
    Repairs repairs = fixture.repairs();
    UUID older = repairs.start(retryOfRunning(20), "olga").id();
    UUID newer =
        repairs.start(RepairFixture.of(RepairAction.CANCEL, SagaStatus.RUNNING, 20), "olga").id();

    assertThat(repairs.newest(null, 1)).extracting(Repair::id).containsExactly(newer);
    assertThat(repairs.newest(newer, 1)).extracting(Repair::id).containsExactly(older);
  }

  @Test
  void areForeseenWithoutChangingAnything() throws SQLException {
    shop.place(25);
    shop.heard();

    RepairForecast forecast =
        RepairForecast.of(
            fixture.unitOfWork,
            (tx, saga) ->
                new SagaDetails.Action(SagaDetails.Kind.CANCEL, true, null, "Undoes nothing."),
            new RepairRows(fixture.json),
            RepairFixture.of(RepairAction.CANCEL, SagaStatus.RUNNING, 20));

    assertThat(forecast.count()).isEqualTo(25);
    assertThat(forecast.exact()).isTrue();
    assertThat(forecast.allowed()).isEqualTo(25);
    assertThat(forecast.refused()).isZero();
    assertThat(forecast.samples()).hasSize(20);
    assertThat(shop.heard()).isEmpty();
    assertThat(fixture.repairs().newest(null, 10)).isEmpty();
  }

  /** A filter is read again by whichever process goes on. */
  @Test
  void areAboutTheSagasThatTheirFilterNames() throws SQLException {
    List<UUID> sagas = shop.place(3);
    SagaDatabase.execute(
        "UPDATE saga_instance SET scope = 'bob' WHERE id = '%s'".formatted(sagas.get(1)));
    RepairFilter bobs =
        new RepairFilter(
            SagaStatus.RUNNING,
            "place-order",
            1,
            "process-payment",
            null,
            "PT0S",
            null,
            null,
            false,
            null,
            "bob",
            null);
    UUID repair =
        fixture
            .repairs()
            .start(new NewRepair(RepairAction.RETRY, bobs, null, 100, false), "olga")
            .id();

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.asked).containsExactly(sagas.get(1));
    assertThat(fixture.read(repair).filter()).isEqualTo(bobs);
  }

  @Test
  void keepTheMomentsOfTheirFilter() {
    Instant moment = Instant.parse("2026-03-01T08:00:00.123456Z");
    RepairFilter filter =
        new RepairFilter(
            null, null, null, null, null, null, moment, moment, true, true, "alice's", null);
    RepairRows rows = new RepairRows(fixture.json);

    assertThat(rows.filter(rows.text(filter))).isEqualTo(filter);
  }

  private Repair startCompensation() throws SQLException {
    return fixture
        .repairs()
        .start(RepairFixture.of(RepairAction.COMPENSATE, SagaStatus.RUNNING, 100), "olga");
  }

  private static void assertRefused(Because because, ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(
            RepairRefused.class, it -> assertThat(it.because()).isEqualTo(because));
  }
}
