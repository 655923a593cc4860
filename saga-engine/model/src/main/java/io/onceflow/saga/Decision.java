package io.onceflow.saga;

import java.util.List;

/**
 * What an event makes of a saga and its subject; whoever asked writes and sends all of it in one
 * transaction.
 *
 * @param state the saga's state after it; equal to the one before when nothing is to be written
 * @param subject the subject after it; the same object when it did not change
 * @param commands what is to be sent, in this order
 * @param history what is to be added to the history
 * @param moved whether a step or the saga's status changed; false for a reply that is only noted in
 *     the history and for a timer that was not due
 */
public record Decision<D extends SagaSubject<D>>(
    SagaState state,
    D subject,
    List<SentCommand> commands,
    List<HistoryEntry> history,
    boolean moved) {

  public Decision {
    commands = List.copyOf(commands);
    history = List.copyOf(history);
  }
}
