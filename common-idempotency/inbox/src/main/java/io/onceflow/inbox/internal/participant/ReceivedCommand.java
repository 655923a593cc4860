package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.consumer.Delivery;

/**
 * A command with the delivery that brought it.
 *
 * @param <S> the business row
 */
record ReceivedCommand<S>(Delivery delivery, ResolvedCommand<?, S> command) {

  /** What all commands of one saga share. */
  InboxRow.Id saga() {
    return new InboxRow.Id(command.message().scope(), command.message().rootKey().value());
  }
}
