package io.onceflow.saga.internal.engine;

import java.util.List;

/**
 * The result of an event for a saga.
 *
 * @param state the state after the event; equal to the one before when nothing is to be written
 * @param effects what is to be done, in this order; none when the event moved nothing
 * @param history what is to be added to the saga's history
 */
public record Transition(SagaState state, List<Effect> effects, List<HistoryEntry> history) {

  public Transition {
    effects = List.copyOf(effects);
    history = List.copyOf(history);
  }
}
