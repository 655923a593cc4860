package io.onceflow.inbox.internal.consumer;

import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Decides which messages of a batch take effect, and lets them. It sees a message before the inbox
 * records it: a message that is not recorded leaves no trace in the inbox, so that another message
 * under the same key is still taken.
 */
@FunctionalInterface
public interface MessageReceiver {

  /**
   * Examines a batch; rows that it locks stay locked until the transaction ends.
   *
   * @param batch in the order of arrival
   */
  Reception examine(Transaction tx, List<ReceivedMessage> batch) throws SQLException;

  /** Whether it takes payloads of any bytes; where not, one that is not UTF-8 is parked unseen. */
  default boolean takesAnyBytes() {
    return false;
  }

  /** See {@link Redriver#known}. */
  default Set<String> known() {
    return Set.of();
  }

  /** A batch that was examined. */
  interface Reception {

    /** What is to become of each message, in the order of the batch. */
    List<Verdict> verdicts();

    /**
     * Writes what follows from messages that the inbox had not recorded before, in their order.
     * Called once for each batch, also with an empty list.
     *
     * @throws UnprocessableMessage when one of them must be parked; the others are tried without it
     */
    void apply(List<ReceivedMessage> fresh) throws SQLException;
  }

  /** What is to become of a message. */
  sealed interface Verdict {

    /**
     * It takes effect once, under the receiver's own step.
     *
     * @param step such as {@code count}
     */
    record Take(String step) implements Verdict {}

    /** A copy of one that the receiver's own rows remember; it changes nothing. */
    record Repeated() implements Verdict {}

    /** It is parked. */
    record Park(UnprocessableMessage why) implements Verdict {}

    /**
     * It is deferred for another replica.
     *
     * @param waitsFor what one has to know, any of these
     * @param detail for an operator
     */
    record Defer(List<String> waitsFor, String detail) implements Verdict {}

    /**
     * It is kept, for however long, until the receiver makes it due: {@link Parking#KEPT}.
     *
     * @param detail for an operator
     */
    record Keep(String detail) implements Verdict {}

    /**
     * The receiver stores its outcome in the same transaction, or it changes nothing; the inbox
     * does not record it.
     */
    record Handled() implements Verdict {}
  }
}
