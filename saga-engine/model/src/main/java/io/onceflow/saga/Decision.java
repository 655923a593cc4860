package io.onceflow.saga;

import java.util.List;

/**
 * What an event makes of a saga and its subject; whoever asked writes and sends all of it in one
 * transaction.
 *
 * @param state the saga's state after it; equal to the one before when nothing is to be written
 * @param subject the subject after it; the same object when it did not change, or was changed in
 *     place
 * @param subjectChanged whether a function of the definition had the subject to change: one that is
 *     changed in place is the same object before and after
 * @param commands what is to be sent, in this order
 * @param history what is to be added to the history
 * @param moved whether a step or the saga's status changed; false for a reply that is only noted in
 *     the history and for a timer that was not due
 */
public record Decision<D>(
    SagaState state,
    D subject,
    boolean subjectChanged,
    List<SentCommand> commands,
    List<HistoryEntry> history,
    boolean moved) {

  public Decision {
    commands = List.copyOf(commands);
    history = List.copyOf(history);
  }
}
