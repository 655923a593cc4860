package io.onceflow.inbox.internal.consumer;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Handles the messages that a {@link BatchConsumer} has received. */
public interface BatchSettler {

  /**
   * Settles all of them and commits; when it returns they may be acknowledged. When it throws,
   * nothing of the batch was kept.
   *
   * @throws UnprocessableMessage when one of them must be parked; the caller finds out which by
   *     settling each alone
   */
  void settle(List<Delivery> batch) throws SQLException;

  /** Parks one message in a separate transaction. */
  void park(Delivery delivery, UnprocessableMessage why) throws SQLException;

  /**
   * Takes a message from where it is parked and settles it, in one transaction. When it throws,
   * nothing was kept, and the message is parked as before.
   *
   * @return false when it was not parked any more
   * @throws UnprocessableMessage when it still cannot be handled
   */
  boolean redrive(Parked parked) throws SQLException;

  /** A message that is parked. */
  @FunctionalInterface
  interface Parked {

    /** Takes it from there, if the transaction commits; empty when it is not there any more. */
    Optional<Delivery> take(Transaction tx) throws SQLException;
  }
}
