package io.onceflow.inbox.internal.consumer;

import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes messages whose type has a step, and parks all others.
 *
 * @param stepOf the receiver's own step for a message, such as {@code record-payment}, or empty
 *     when its type is not handled here
 */
public record ReceiverByType(Function<InboundMessage, Optional<String>> stepOf, Work work)
    implements MessageReceiver {

  /** What is done for messages that have not been seen before. */
  @FunctionalInterface
  public interface Work {

    /**
     * Writes what follows from them, in the order in which they came.
     *
     * @throws UnprocessableMessage when one of them must be parked; the others are tried without it
     */
    void apply(Transaction tx, List<InboundMessage> fresh) throws SQLException;
  }

  @Override
  public Reception examine(Transaction tx, List<ReceivedMessage> batch) {
    List<Verdict> verdicts = batch.stream().map(this::verdict).toList();
    return new Reception() {
      @Override
      public List<Verdict> verdicts() {
        return verdicts;
      }

      @Override
      public void apply(List<ReceivedMessage> fresh) throws SQLException {
        if (!fresh.isEmpty()) {
          work.apply(tx, fresh.stream().map(ReceivedMessage::message).toList());
        }
      }
    };
  }

  private Verdict verdict(ReceivedMessage received) {
    try {
      return stepOf
          .apply(received.message())
          .<Verdict>map(Verdict.Take::new)
          .orElseGet(() -> new Verdict.Park(unknown(received)));
    } catch (UnprocessableMessage why) {
      return new Verdict.Park(why);
    }
  }

  private static UnprocessableMessage unknown(ReceivedMessage received) {
    return new UnprocessableMessage(
        ParkingReason.UNKNOWN_TYPE,
        "type \"%s\" is not handled here".formatted(received.message().type()));
  }
}
