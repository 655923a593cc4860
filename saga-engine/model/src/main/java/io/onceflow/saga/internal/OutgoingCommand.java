package io.onceflow.saga.internal;

import static java.util.Objects.requireNonNull;

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
}
