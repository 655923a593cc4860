package io.onceflow.saga;

import static io.onceflow.saga.PlaceOrder.replied;
import static io.onceflow.saga.SagaDefinition.saga;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The deadline of a saga whose steps wait for the world; what may be awaited. */
class AwaitTest {

  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private Instant now = START;

  @Test
  void theDeadlineDoesNotCountTheWaitingAndGetsBackWhatWasNotNeeded() {
    SagaDefinition<Journey> definition =
        saga("journey", 1, Journey.book("hotel").await("news").within(DAY), Journey.book("car"))
            .within(HOUR);
    SagaExecution<Journey> saga = started(new UUID(0, 1), definition);
    saga.apply(replied(PlaceOrder.pending("book-hotel")), now);
    assertThat(saga.state().deadlineAt()).isEqualTo(START.plus(HOUR).plus(DAY));

    now = now.plus(HOUR.multipliedBy(5));
    saga.apply(replied(PlaceOrder.done("book-hotel")), now);
    assertThat(saga.state().deadlineAt()).isEqualTo(START.plus(HOUR.multipliedBy(6)));
    assertThat(saga.state().reason()).isNull();
  }

  @Test
  void stepsThatWaitTogetherPutTheDeadlineOffOnce() {
    SagaDefinition<Journey> definition =
        saga(
                "journey",
                1,
                SagaDefinition.together(
                    Journey.book("hotel").await("news").within(HOUR.multipliedBy(10)),
                    Journey.book("car").await("news").within(HOUR.multipliedBy(4))),
                Journey.book("train"))
            .within(DAY);
    SagaExecution<Journey> saga = started(new UUID(1, 1), definition);
    saga.apply(replied(PlaceOrder.pending("book-hotel")), now);
    saga.apply(replied(PlaceOrder.pending("book-car")), now);
    assertThat(saga.state().deadlineAt()).isEqualTo(START.plus(DAY).plus(HOUR.multipliedBy(10)));

    now = now.plus(HOUR);
    saga.apply(replied(PlaceOrder.done("book-hotel")), now);
    assertThat(saga.state().deadlineAt())
        .as("the car's")
        .isEqualTo(START.plus(DAY).plus(HOUR.multipliedBy(4)));

    saga.apply(replied(PlaceOrder.done("book-car")), now);
    assertThat(saga.state().deadlineAt())
        .as("an hour was waited")
        .isEqualTo(START.plus(DAY).plus(HOUR));
  }

  @Test
  void whatCannotBeAwaitedIsNotDefined() {
    assertThatThrownBy(() -> saga("j", 1, Journey.book("hotel").await("a:b").within(HOUR)))
        .isInstanceOf(SagaDefinitionInvalid.class)
        .hasMessageContaining("colon");
    assertThatThrownBy(
            () -> saga("j", 1, Journey.book("hotel").await("news").within(Duration.ofMillis(999))))
        .isInstanceOf(SagaDefinitionInvalid.class)
        .hasMessageContaining("at least a second");
  }

  private SagaExecution<Journey> started(UUID id, SagaDefinition<Journey> definition) {
    SagaExecution<Journey> saga =
        new SagaExecution<>(
            definition,
            new ReplyBackoff(Jitter.NONE),
            Journey::news,
            SagaState.toBeStarted(id, definition, START),
            Journey.journey());
    saga.apply(new SagaEvent.Started(), now);
    return saga;
  }
}
