package io.onceflow.saga.internal;

import io.onceflow.saga.Step.OutgoingCommand;
import java.util.function.Function;

/** A command without its payload. */
public record CommandKind(String type, String routingKey) {

  /** Makes no payload where the command is a record, whose annotation says the rest. */
  public static <D> CommandKind of(Function<D, OutgoingCommand> command, D subject) {
    if (command instanceof RecordCommand<?, ?> known) {
      return new CommandKind(known.type().getSimpleName(), known.routingKey());
    }
    OutgoingCommand made = command.apply(subject);
    return new CommandKind(made.type(), made.routingKey());
  }
}
