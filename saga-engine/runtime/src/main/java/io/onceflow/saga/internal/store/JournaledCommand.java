package io.onceflow.saga.internal.store;

import java.util.UUID;

/**
 * What a saga's row says of a command that may have to be sent again. Its payload is in the
 * journal.
 *
 * @param name the step or compensation that it is for
 * @param type the message's type, such as {@code ProcessPayment}
 * @param routingKey where it goes, such as {@code payment.process}
 * @param revision of the saga after the write that sent it first: that of its row of the journal
 */
public record JournaledCommand(String name, String type, String routingKey, long revision) {

  /** One of a saga's. */
  public record Of(UUID sagaId, JournaledCommand command) {}

  RenderedCommand rendered(String payload) {
    return new RenderedCommand(name, type, routingKey, payload);
  }
}
