package io.onceflow.saga.internal.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the changes that one event makes to a saga, while the engine handles the event. */
final class TransitionBuilder {

  private final Instant now;
  private final List<Effect> effects = new ArrayList<>();
  private final List<HistoryEntry> history = new ArrayList<>();
  private SagaState state;

  TransitionBuilder(SagaState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  SagaState state() {
    return state;
  }

  /**
   * The step of this name.
   *
   * @throws IllegalStateException if the saga was started with other steps than it is defined with
   */
  StepState step(String name) {
    return state
        .step(name)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    ("saga %s was started without step %s; a definition whose steps change needs"
                            + " a new version")
                        .formatted(state.id(), name)));
  }

  void put(StepState step) {
    state = state.with(step);
  }

  void put(SagaState changed) {
    state = changed;
  }

  void emit(Effect effect) {
    effects.add(effect);
  }

  void note(HistoryEvent event, @Nullable String step, @Nullable String detail) {
    history.add(new HistoryEntry(now, event, step, detail));
  }

  /** Every change adds to the history, so an empty history means that nothing changed. */
  Transition end() {
    return new Transition(history.isEmpty() ? state : state.next(), effects, history);
  }
}
