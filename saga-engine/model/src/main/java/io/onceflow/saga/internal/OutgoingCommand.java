package io.onceflow.saga.internal;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * A command of a saga to a participant.
 *
 * @param type the message's type, such as {@code ProcessPayment}
 * @param routingKey where commands of this kind go, such as {@code payment.process}
 * @param payload the business's record; the sender writes it as JSON
 */
public record OutgoingCommand(String type, String routingKey, Object payload) {

  public OutgoingCommand {
    requireNonNull(type, "type");
    requireNonNull(routingKey, "routingKey");
    requireNonNull(payload, "payload");
  }

  /** A command without its payload. */
  public record Kind(String type, String routingKey) {

    /** Makes no payload where the command is a record, whose annotation says the rest. */
    public static <D> Kind of(Function<D, OutgoingCommand> command, D subject) {
      if (command instanceof RecordCommand<?, ?> known) {
        return new Kind(known.type().getSimpleName(), known.routingKey());
      }
      OutgoingCommand made = command.apply(subject);
      return new Kind(made.type(), made.routingKey());
    }
  }
}
