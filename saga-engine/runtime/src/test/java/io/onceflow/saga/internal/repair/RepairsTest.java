package io.onceflow.saga.internal.repair;

import static io.onceflow.saga.internal.repair.RepairFixture.passASecond;
import static io.onceflow.saga.internal.repair.RepairFixture.retryOfRunning;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.NotFoundException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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
    UUID first = fixture.start(retryOfRunning(20), "olga").id();

    assertThatThrownBy(() -> fixture.start(retryOfRunning(50), "otto"))
        .isInstanceOf(HttpProblem.class)
        .hasMessageContaining(first.toString());
    assertThat(repairs.newest(null, 10)).hasSize(1);
    fixture.start(RepairFixture.of(SagaDetails.Kind.CANCEL, SagaStatus.RUNNING, 20), "otto");
    fixture.start(RepairFixture.of(SagaDetails.Kind.RETRY, SagaStatus.STUCK, 20), "otto");

    repairs.stop(first, "olga", null);
    fixture.start(retryOfRunning(50), "otto");
    assertThat(repairs.newest(null, 10)).hasSize(4);
  }

  @Test
  void areNotTheSameTwiceWhenTwoOperatorsStartThemAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    Callable<Boolean> start =
        () -> {
          together.await();
          try {
            fixture.start(retryOfRunning(20), "olga");
            return true;
          } catch (HttpProblem underWay) {
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
    RepairTimer replica = fixture.replica();
    passASecond();
    replica.turn();
    assertThat(fixture.read(repair).status()).isEqualTo(RepairStatus.AWAITING_APPROVAL);
    assertThat(fixture.read(repair).total()).as("what is approved").isEqualTo(3);
    assertThat(fixture.asked).isEmpty();

    assertRefused("second-operator-needed", () -> fixture.repairs().approve(repair, "olga", null));
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
    assertThat(fixture.start(retryOfRunning(20), "olga").status()).isEqualTo(RepairStatus.RUNNING);
  }

  @Test
  void doNotWaitWhereNobodyHasToApprove() throws SQLException {
    shop.place(3);
    assertThat(startCompensation().status()).isEqualTo(RepairStatus.RUNNING);
  }

  @Test
  void refuseWhatMakesNoSenseForThem() throws SQLException {
    Repairs repairs = fixture.repairs();
    UUID repair = fixture.start(retryOfRunning(20), "olga").id();

    assertRefused("repair-refuses", () -> repairs.resume(repair, "olga", null));
    assertRefused("repair-refuses", () -> repairs.approve(repair, "otto", null));
    repairs.stop(repair, "olga", null);
    assertRefused("repair-refuses", () -> repairs.stop(repair, "olga", null));
    assertRefused("repair-refuses", () -> repairs.pause(repair, "olga", null));
    assertThatThrownBy(() -> repairs.stop(UUID.randomUUID(), "olga", null))
        .isInstanceOf(NotFoundException.class);
    assertThat(RepairFixture.audited()).containsExactly("olga repair-start", "olga repair-stop");
  }

  @Test
  void areListedNewestFirstPageByPage() throws SQLException {
    Repairs repairs = fixture.repairs();
    UUID older = fixture.start(retryOfRunning(20), "olga").id();
    UUID newer =
        fixture
            .start(RepairFixture.of(SagaDetails.Kind.CANCEL, SagaStatus.RUNNING, 20), "olga")
            .id();

    assertThat(repairs.newest(null, 1)).extracting(Repair::id).containsExactly(newer);
    assertThat(repairs.newest(newer, 1)).extracting(Repair::id).containsExactly(older);
    assertThat(repairs.newest(UUID.randomUUID(), null, 10)).as("of a saga of none").isEmpty();
    for (Repair repair : repairs.newest(null, 10)) {
      for (Repair.RepairedSaga saga : repairs.sagas(repair.id(), null, null, 10)) {
        assertThat(repairs.newest(saga.saga(), null, 10))
            .extracting(Repair::id)
            .contains(repair.id());
      }
    }
  }

  @Test
  void areAboutTheSagasThatTheirFilterNames() throws SQLException {
    List<UUID> sagas = shop.place(3);
    SagaDatabase.execute(
        "UPDATE saga_instance SET scope = 'bob' WHERE id = '%s'".formatted(sagas.get(1)));
    Map<String, Object> bobs =
        Map.of(
            "status", "RUNNING",
            "definition", "place-order",
            "version", 1,
            "step", "process-payment",
            "olderThan", "PT0S",
            "quarantined", false,
            "customer", "bob");
    UUID repair = fixture.start(RepairFixture.of(SagaDetails.Kind.COMPENSATE, bobs, 100));

    fixture.takeTurns(fixture.replica(), repair);

    assertThat(fixture.asked).containsExactly(sagas.get(1));
    assertThat(fixture.read(repair).filter())
        .isEqualTo(
            "{\"status\":\"RUNNING\",\"definition\":\"place-order\",\"version\":1,\"step\":\"process-payment\",\"olderThan\":\"PT0S\",\"quarantined\":false,\"customer\":\"bob\"}");
  }

  @Test
  void keepTheMomentsOfTheirFilter() {
    String moment = "2026-03-01T08:00:00.123456Z";
    SagaFilter filter =
        SagaFilterReader.read(
            Map.of(
                "startedAfter", moment,
                "startedBefore", moment,
                "quarantined", "true",
                "attribute", "flight:LH 1",
                "customer", "alice's"));
    RepairRows rows = new RepairRows(fixture.json);

    assertThat(rows.filter(rows.text(filter))).isEqualTo(filter);
  }

  private Repair startCompensation() throws SQLException {
    return fixture.start(
        RepairFixture.of(SagaDetails.Kind.COMPENSATE, SagaStatus.RUNNING, 100), "olga");
  }

  private static void assertRefused(String type, ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(
            HttpProblem.class, it -> assertThat(it.getType()).asString().endsWith("/" + type));
  }
}
