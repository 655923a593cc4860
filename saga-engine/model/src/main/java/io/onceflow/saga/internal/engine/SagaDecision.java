package io.onceflow.saga.internal.engine;

import java.util.List;

/**
 * The result of an event for a saga and its subject. The caller stores the states and sends the
 * commands in one transaction.
 *
 * @param state the saga's state after it; equal to the one before when nothing is to be written
 * @param subject the subject after it; the same object when it did not change, or was changed in
 *     place
 * @param subjectChanged whether a function of the definition was applied to the subject. A subject
 *     that is changed in place is the same object before and after
 * @param commands what is to be sent, in this order
 * @param history what is to be added to the history
 * @param moved whether a step or the saga's status changed; false for a reply that is only noted in
 *     the history and for a timer that was not due
 */
public record SagaDecision<D>(
    SagaState state,
    D subject,
    boolean subjectChanged,
    List<SentCommand> commands,
    List<HistoryEntry> history,
    boolean moved) {

  public SagaDecision {
    commands = List.copyOf(commands);
    history = List.copyOf(history);
  }
}
