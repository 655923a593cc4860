package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.TextPayloads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SagaMetersTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SagaMeters measured = new SagaMeters(meters);

  @Test
  void aStepTakesFromItsLastSendingToTheReplyThatCounts() {
    measured.changed(
        saga(waiting(2, NOW, null), null),
        saga(waiting(2, NOW, NOW.plusMillis(300)), null),
        List.of());

    Timer latency =
        meters
            .get("onceflow.sagas.step.latency")
            .tags("definition", "place-order", "step", "process-payment", "exchange", "action")
            .timer();
    assertThat(latency.count()).isEqualTo(1);
    assertThat(latency.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
  }

  @Test
  void aReplyIsCountedWhenItComesAndNeverAgain() {
    SagaState answered = saga(waiting(1, NOW, NOW.plusMillis(5)), null);

    measured.changed(answered, answered, List.of());

    assertThat(meters.find("onceflow.sagas.step.latency").timers()).isEmpty();
  }

  @Test
  void aSagaTakesFromItsStartToItsEnd() {
    SagaState before = saga(waiting(1, NOW, null), null);
    SagaState after = saga(waiting(1, NOW, NOW), NOW.plus(Duration.ofSeconds(2)));

    measured.changed(before, after, List.of());
    measured.changed(after, after, List.of());

    Timer duration =
        meters.get("onceflow.sagas.duration").tag("status", SagaStatus.COMPLETED.name()).timer();
    assertThat(duration.count()).isEqualTo(1);
    assertThat(duration.totalTime(TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void countsWhatIsWrittenIntoTheHistoryAndShowsZeroForTheRest() {
    LockedSaga<PlaceOrder> saga = placed();
    saga.apply(new SagaEvent.Started(), NOW);
    measured.accept(saga);
    saga.apply(new SagaEvent.Cancel("CANCELLED", "ada", null), NOW);
    measured.accept(saga);

    assertThat(counted(HistoryEvent.SAGA_STARTED)).isEqualTo(2);
    assertThat(counted(HistoryEvent.CANCEL_REQUESTED)).isEqualTo(1);
    assertThat(counted(HistoryEvent.SAGA_STUCK)).isZero();
  }

  private double counted(HistoryEvent event) {
    return meters
        .get("onceflow.sagas.events")
        .tag("definition", "place-order")
        .tag("event", event.word())
        .counter()
        .count();
  }

  private static LockedSaga<PlaceOrder> placed() {
    return new LockedSaga<>(
        new StoredSaga(
            new SagaOrigin(UUID.randomUUID(), "alice", "key", "shop/place-order", null),
            SagaState.toBeStarted(UUID.randomUUID(), PlaceOrder.DEFINITION, NOW)),
        PlaceOrder.DEFINITION,
        new ReplyBackoff(Jitter.NONE),
        PlaceOrder.order(),
        new TextPayloads());
  }

  private static StepState waiting(int attempts, Instant sentAt, @Nullable Instant repliedAt) {
    return new StepState(
        "process-payment",
        repliedAt == null ? StepStatus.WAITING : StepStatus.SUCCEEDED,
        new RequestState(attempts, sentAt, repliedAt),
        RequestState.NONE,
        null,
        repliedAt == null ? NOW.plusSeconds(10) : null);
  }

  private static SagaState saga(StepState step, @Nullable Instant endedAt) {
    return new SagaState(
        UUID.randomUUID(),
        "place-order",
        1,
        endedAt == null ? SagaStatus.RUNNING : SagaStatus.COMPLETED,
        null,
        List.of(step),
        NOW,
        null,
        endedAt,
        1);
  }
}
