package io.onceflow.saga.internal.store.minute;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.minute.StepSeries.Failures;
import io.onceflow.saga.internal.store.minute.StepSeries.Funnel;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of steps is counted by transition and added up, over replicas and minutes. */
@Timeout(value = 60, unit = SECONDS)
class StepSeriesTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String PAY = "process-payment";

  private final MinuteTally tally = new MinuteTally(NOON, "place-order");

  @BeforeEach
  void makeTables() {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
  }

  /** Two replicas counted the same. */
  @Test
  void addsUpHowManyEnteredAStepAndWhatBecameOfThem() throws SQLException {
    for (int i = 0; i < 9; i++) {
      moved(pending(PAY), sent(PAY));
      moved(sent(PAY), answered(PAY, StepStatus.SUCCEEDED, 100));
    }
    moved(pending(PAY), sent(PAY));
    moved(sent(PAY), answered(PAY, StepStatus.REFUSED, 10_000));
    moved(pending(PAY), sent(PAY));
    add();
    add();

    Funnel paying = funnels().getFirst();
    assertThat(paying)
        .extracting(Funnel::entered, Funnel::done, Funnel::refused, Funnel::givenUp)
        .containsExactly(22L, 18L, 2L, 0L);
    assertThat(paying.p50Ms()).isCloseTo(100L, within(10L));
    assertThat(paying.p95Ms()).isCloseTo(10_000L, within(1_000L));
  }

  @Test
  void aStepThatRunsAtOnceIsEnteredAndDone() throws SQLException {
    moved(pending("confirm"), answered("confirm", StepStatus.SUCCEEDED, 0));
    add();

    assertThat(funnels())
        .extracting(Funnel::step, Funnel::entered, Funnel::done)
        .containsExactly(tuple("confirm", 1L, 1L));
  }

  /** Each of two items, and not the step itself besides. */
  @Test
  void itemsCountAsTheirStep() throws SQLException {
    tally.count(
        saga(pending("reserve")),
        saga(answered("reserve", StepStatus.SUCCEEDED, 0), sent("reserve/a"), sent("reserve/b")),
        List.of());
    moved(sent("reserve/b"), answered("reserve/b", StepStatus.SUCCEEDED, 5));
    add();

    assertThat(funnels())
        .extracting(Funnel::step, Funnel::entered, Funnel::done)
        .containsExactly(tuple("reserve", 2L, 1L));
  }

  @Test
  void aLateSuccessIsTimedOutAndNotDone() throws SQLException {
    StepState givenUp = step(PAY, StepStatus.GIVEN_UP, new RequestState(1, NOON, null));
    tally.count(saga(sent(PAY)), saga(givenUp), List.of(line(HistoryEvent.GIVEN_UP, null)));
    moved(givenUp, answered(PAY, StepStatus.COMPENSATING, 60_000));
    add();

    assertThat(funnels())
        .extracting(Funnel::done, Funnel::givenUp, Funnel::p50Ms)
        .containsExactly(tuple(0L, 1L, null));
  }

  /** As long as it waited, however often it was sent; that is not known of an earlier release's. */
  @Test
  void aStepTakesAsLongAsSinceItWasSentFirst() throws SQLException {
    Instant later = NOON.plusSeconds(30);
    Instant end = NOON.plusSeconds(32);
    moved(sent(PAY), done(new RequestState(2, 0, NOON, later, end, null, null)));
    moved(sent(PAY), done(new RequestState(2, 0, null, later, end, null, null)));
    add();

    Funnel paying = funnels().getFirst();
    assertThat(paying.done()).isEqualTo(2);
    assertThat(paying.p50Ms()).isCloseTo(32_000L, within(3_200L));
    assertThat(steps().durations().getFirst().p99Ms()).isEqualTo(paying.p99Ms());
    assertThat(steps().durations()).hasSize(1);
  }

  @Test
  void tellsWhichStepsFailed() throws SQLException {
    SagaState same = saga(sent(PAY));
    tally.count(
        same,
        same,
        List.of(
            line(HistoryEvent.SENT_AGAIN, null),
            line(HistoryEvent.SENT_AGAIN, null),
            new HistoryEntry(NOON, HistoryEvent.SAGA_STUCK, null, PAY + ", create-shipment")));
    moved(pending("confirm"), answered("confirm", StepStatus.SUCCEEDED, 0));
    add();

    List<Failures> failures = SagaDatabase.inTransaction(tx -> StepSeries.failures(tx, NOON, 1));
    assertThat(failures)
        .containsExactly(
            new Failures(NOON, "place-order", "create-shipment", 0, 0, 1, 0),
            new Failures(NOON, "place-order", PAY, 0, 0, 1, 2));
  }

  private void moved(StepState before, StepState after) {
    tally.count(saga(before), saga(after), List.of());
  }

  private void add() throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          SagaMinutes.add(tx, List.of(tally));
          return true;
        });
  }

  private static StepSeries.Steps steps() throws SQLException {
    return SagaDatabase.inTransaction(tx -> StepSeries.steps(tx, NOON, 1));
  }

  private static List<Funnel> funnels() throws SQLException {
    return steps().funnels();
  }

  private static StepState pending(String name) {
    return step(name, StepStatus.PENDING, RequestState.NONE);
  }

  private static StepState sent(String name) {
    return step(name, StepStatus.WAITING, new RequestState(1, NOON, null));
  }

  private static StepState answered(String name, StepStatus status, long millis) {
    return step(name, status, new RequestState(1, NOON, NOON.plus(Duration.ofMillis(millis))));
  }

  private static StepState done(RequestState request) {
    return step(PAY, StepStatus.SUCCEEDED, request);
  }

  private static StepState step(String name, StepStatus status, RequestState request) {
    return new StepState(name, status, request, RequestState.NONE, null, null);
  }

  private static SagaState saga(StepState... steps) {
    return new SagaState(
        new UUID(0, 1),
        "place-order",
        1,
        SagaStatus.RUNNING,
        null,
        List.of(steps),
        NOON,
        null,
        null,
        1);
  }

  private static HistoryEntry line(HistoryEvent event, @Nullable String detail) {
    return new HistoryEntry(NOON, event, PAY, detail);
  }
}
