package io.onceflow.saga.internal.operators;

import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.sleep;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.Limit;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What operators read of a step that waits for the world. */
class WaitingSentenceTest {

  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration TWO_DAYS = Duration.ofDays(2);
  private static final SagaDefinition<Journey> DEFINITION =
      saga("journey", 1, Journey.book("hotel").await("confirmed").within(TWO_DAYS));

  private SagaExecution<Journey> saga = of(DEFINITION);

  private static SagaExecution<Journey> of(SagaDefinition<Journey> definition) {
    return new SagaExecution<>(
        definition,
        new ReplyBackoff(Jitter.NONE),
        Journey::news,
        SagaState.toBeStarted(new UUID(0, 1), definition, START),
        new Journey(new UUID(0, 7), List.of()));
  }

  @Test
  void tellsWhatAPendingStepWaitsForAndUntilWhen() {
    becomePending();
    assertThat(sentence())
        .isEqualTo(
            "The participant has started book-hotel and waits for confirmed, until 2026-01-03"
                + " 12:00:00 UTC at most.");
  }

  @Test
  void tellsThatItWasAskedOnceMoreAndWhenItIsGivenUpOn() {
    becomePending();
    saga.apply(new SagaEvent.Due(), START.plus(TWO_DAYS));
    assertThat(sentence())
        .isEqualTo(
            "The participant has started book-hotel and waited for confirmed until its time was over;"
                + " resent once, times out at 2026-01-03 12:00:20 UTC.");
  }

  @Test
  void tellsWhatTheSagaItselfWaitsFor() {
    assertThat(waitingFor(sleep("cooling-off", TWO_DAYS)))
        .isEqualTo("Sleeps until 2026-01-03 12:00:00 UTC (cooling-off).");
    assertThat(waitingFor(await("news").within(TWO_DAYS)))
        .isEqualTo("Waits for the event news until 2026-01-03 12:00:00 UTC.");
    assertThat(waitingFor(approval("credit").by("clerk").within(TWO_DAYS)))
        .isEqualTo("Waits for the approval credit by clerk, until 2026-01-03 12:00:00 UTC.");
    assertThat(waitingFor(approval("credit").by("clerk").two().within(TWO_DAYS)))
        .isEqualTo(
            "Waits for the approval credit by clerk (two operators), until 2026-01-03 12:00:00"
                + " UTC.");
  }

  @Test
  void tellsWhoHasApprovedAlready() {
    waitingFor(approval("credit").by("clerk").two().within(TWO_DAYS));
    saga.apply(new SagaEvent.Signalled("credit", "h1", null, "cleo", null), START);
    assertThat(sentence())
        .isEqualTo(
            "Waits for the approval credit by clerk (a second operator beside cleo), until"
                + " 2026-01-03 12:00:00 UTC.");
  }

  @Test
  void tellsWhichSagaItHasStartedAndWaitsFor() {
    Wait<Journey> errand =
        SagaDefinition.start("errand", Journey.Errand.class, Journey::errand).otherwise();
    saga = of(saga("journey", 1, pivot("go").run((Journey it) -> it.marked("go")), errand));
    saga.apply(new SagaEvent.Started(), START);
    assertThat(sentence())
        .isEqualTo(
            "Waits for the end of the saga %s (errand)."
                .formatted(saga.children().getFirst().id()));
  }

  @Test
  void tellsWhichSagaItHasUndone() {
    waitingFor(SagaDefinition.start("errand", Journey.Errand.class, Journey::errand));
    saga.apply(new SagaEvent.Cancel("CANCELLED", "ada", null), START);
    assertThat(sentence())
        .isEqualTo(
            "Waits until the saga %s is compensated (errand)."
                .formatted(saga.children().getFirst().id()));
  }

  @Test
  void tellsWhichLimitItWaitsFor() {
    Limit<Journey> starts = Limit.starting(5, Duration.ofSeconds(1)).inAll();
    saga = of(DEFINITION.limit(Limit.running(3).inAll()).limit(starts));
    saga.apply(new SagaEvent.Queued("3 are running"), START);
    assertThat(sentence())
        .isEqualTo(
            "Queued since 2026-01-01 12:00:00 UTC: 3 are running. It continues when one of them has"
                + " ended.");

    saga = of(DEFINITION.limit(Limit.running(3).inAll()).limit(starts));
    saga.apply(new SagaEvent.Queued(starts.reason()), START);
    assertThat(sentence())
        .isEqualTo(
            "Queued since 2026-01-01 12:00:00 UTC: 5 start within PT1S. It starts when its turn"
                + " comes.");
  }

  private String waitingFor(Wait<Journey> wait) {
    saga = of(saga("journey", 1, wait));
    saga.apply(new SagaEvent.Started(), START);
    return sentence();
  }

  private void becomePending() {
    saga.apply(new SagaEvent.Started(), START);
    saga.apply(PlaceOrder.replied(PlaceOrder.pending("book-hotel")), START);
  }

  private String sentence() {
    SagaOrigin origin = new SagaOrigin(new UUID(0, 2), "ada", "key", "shop/journey", null);
    SagaWithHistory read =
        new SagaWithHistory(new StoredSaga(origin, saga.state()), null, saga.history(), null);
    return Objects.requireNonNull(
            WaitingSentence.of(read, Optional.of(saga.definition()), routingKey -> routingKey))
        .sentence();
  }
}
