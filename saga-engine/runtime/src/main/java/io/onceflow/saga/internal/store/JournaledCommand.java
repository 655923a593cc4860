package io.onceflow.saga.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command as it was rendered when its step, or its compensation, was first sent. Every later
 * attempt sends the same bytes, even by newer code that would render more: a participant knows a
 * repeated command by them. The payload is in the saga's journal, the rest in its row.
 *
 * @param name the step or compensation that it is for
 * @param type the message's type, such as {@code ProcessPayment}
 * @param routingKey where it goes, such as {@code payment.process}
 * @param revision of the saga after the write that sent it first: that of its row of the journal
 * @param payload JSON text, byte for byte; null where it was not read
 */
public record JournaledCommand(
    UUID sagaId,
    String name,
    String type,
    String routingKey,
    long revision,
    @Nullable String payload) {

  JournaledCommand at(long written) {
    return new JournaledCommand(sagaId, name, type, routingKey, written, payload);
  }
}
