package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What holds after every transition of every saga; remembers one saga's life to check it. */
final class SagaInvariants {

  private final SagaDefinition<?> definition;
  private final Map<String, Integer> sent = new HashMap<>();
  private final List<String> undoing = new ArrayList<>();
  private final List<HistoryEntry> history = new ArrayList<>();
  private boolean ended;
  private boolean pastPivot;

  SagaInvariants(SagaDefinition<?> definition) {
    this.definition = definition;
  }

  void check(SagaState before, SagaEvent event, Transition transition, Instant now) {
    history.addAll(transition.history());
    checkRevision(before, transition);
    transition.effects().forEach(effect -> checkEffect(before, effect));
    checkState(transition.state());
    checkHistory(transition.state());
    boolean told = !transition.history().isEmpty();
    switch (event) {
      case SagaEvent.Started() -> assertThat(told).isTrue();
      case SagaEvent.Replied reply -> assertThat(told).as("every reply is told of").isTrue();
      case SagaEvent.Due() -> assertThat(told).as("it was due").isEqualTo(isDue(before, now));
    }
  }

  private static boolean isDue(SagaState state, Instant now) {
    return state.nextActionAt() != null && !state.nextActionAt().isAfter(now);
  }

  private static void checkRevision(SagaState before, Transition transition) {
    boolean changed = !transition.history().isEmpty();
    assertThat(transition.state().revision()).isEqualTo(before.revision() + (changed ? 1 : 0));
    if (!changed) {
      assertThat(transition.state()).isEqualTo(before);
      assertThat(transition.effects()).isEmpty();
    }
    if (transition.effects().isEmpty()) {
      assertThat(transition.state().steps()).isEqualTo(before.steps());
      assertThat(transition.state().status()).isEqualTo(before.status());
    }
  }

  private void checkEffect(SagaState before, Effect effect) {
    assertThat(ended).as("%s after the end", effect).isFalse();
    switch (effect) {
      case Effect.NoteReply() -> {}
      case Effect.SendCommand(String step, int attempt) -> {
        assertThat(undoing).as("going forward with %s after going back", step).isEmpty();
        assertThat(attempt).isEqualTo(sent.merge(step, 1, Integer::sum));
      }
      case Effect.SendCompensation(String step, String name, int attempt) -> {
        assertThat(pastPivot).as("%s past the pivot", name).isFalse();
        assertThat(attempt).isEqualTo(sent.merge(name, 1, Integer::sum));
        checkReverse(before, step, attempt);
      }
      case Effect.RunLocal(String step) -> {
        assertThat(undoing).as("running %s after going back", step).isEmpty();
        pastPivot |= definition.stepNamed(step) instanceof Step.Pivot;
      }
      case Effect.Ended(SagaStatus end, String why) -> {
        assertThat(end == SagaStatus.COMPENSATED).isEqualTo(why != null);
        assertThat(pastPivot && end == SagaStatus.COMPENSATED).isFalse();
        ended = true;
      }
    }
  }

  private void checkReverse(SagaState before, String step, int attempt) {
    if (attempt > 1) {
      assertThat(undoing).endsWith(step);
      return;
    }
    assertThat(before.step(step).orElseThrow().status()).isEqualTo(StepStatus.SUCCEEDED);
    if (!undoing.isEmpty()) {
      assertThat(position(step)).as("reverse order").isLessThan(position(undoing.getLast()));
    }
    undoing.add(step);
  }

  private int position(String step) {
    return definition.steps().indexOf(definition.stepNamed(step));
  }

  private void checkState(SagaState state) {
    assertThat(state.status().isEnd()).isEqualTo(ended);
    assertThat(state.endedAt() != null).isEqualTo(ended);
    assertThat(state.nextActionAt() == null)
        .as("a saga has a timer until it ends")
        .isEqualTo(ended);
    long awaited = state.steps().stream().filter(step -> step.dueAt() != null).count();
    assertThat(awaited).as("one step at a time").isEqualTo(ended ? 0 : 1);
    if (state.status() == SagaStatus.COMPENSATED) {
      state.steps().forEach(this::checkUndone);
    }
    if (state.status() == SagaStatus.COMPLETED) {
      assertThat(state.steps()).allMatch(step -> step.status() == StepStatus.SUCCEEDED);
    }
  }

  private void checkUndone(StepState step) {
    if (definition.stepNamed(step.name()).compensation().isPresent()) {
      assertThat(step.status())
          .isIn(StepStatus.COMPENSATED, StepStatus.REFUSED, StepStatus.PENDING);
    }
  }

  /** Reads each step's status and attempts from the history alone. */
  private void checkHistory(SagaState state) {
    for (StepState step : state.steps()) {
      List<HistoryEvent> events =
          history.stream()
              .filter(entry -> step.name().equals(entry.step()))
              .map(HistoryEntry::event)
              .toList();
      Optional<StepStatus> told =
          events.stream().map(SagaInvariants::told).flatMap(Optional::stream).reduce((a, b) -> b);
      assertThat(told.orElse(StepStatus.PENDING)).isEqualTo(step.status());
      long sends = events.stream().filter(SagaInvariants::isSend).count();
      boolean local = !(definition.stepNamed(step.name()) instanceof Step.Send);
      assertThat(sends + (local ? step.attempts() : 0))
          .isEqualTo(step.attempts() + step.compensation().attempts());
    }
  }

  private static boolean isSend(HistoryEvent event) {
    return switch (event) {
      case COMMAND_SENT, COMPENSATION_SENT, SENT_AGAIN -> true;
      case SAGA_STARTED, SUCCEEDED, REFUSED, PIVOT_PASSED, COMPENSATED -> false;
      case REPLY_IGNORED, REFUSAL_IGNORED, SAGA_COMPLETED, SAGA_COMPENSATED -> false;
    };
  }

  private static Optional<StepStatus> told(HistoryEvent event) {
    return switch (event) {
      case COMMAND_SENT -> Optional.of(StepStatus.WAITING);
      case SUCCEEDED, PIVOT_PASSED -> Optional.of(StepStatus.SUCCEEDED);
      case REFUSED -> Optional.of(StepStatus.REFUSED);
      case COMPENSATION_SENT -> Optional.of(StepStatus.COMPENSATING);
      case COMPENSATED -> Optional.of(StepStatus.COMPENSATED);
      case SAGA_STARTED, SENT_AGAIN, REPLY_IGNORED, REFUSAL_IGNORED -> Optional.empty();
      case SAGA_COMPLETED, SAGA_COMPENSATED -> Optional.empty();
    };
  }
}
