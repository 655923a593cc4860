package io.onceflow.saga.internal.store;

/**
 * A command as it was rendered when its step, or its compensation, was first sent. Every later
 * attempt sends the same bytes, even by newer code that would render more: a participant knows a
 * repeated command by them.
 *
 * @param name the step or compensation that it is for
 * @param type the message's type, such as {@code ProcessPayment}
 * @param routingKey where it goes, such as {@code payment.process}
 * @param payload JSON text, byte for byte
 */
public record RenderedCommand(String name, String type, String routingKey, String payload) {

  /** What the saga's row says of it once it is in the journal's row of this revision. */
  JournaledCommand journaled(long revision) {
    return new JournaledCommand(name, type, routingKey, revision);
  }
}
