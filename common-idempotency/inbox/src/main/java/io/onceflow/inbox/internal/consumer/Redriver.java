package io.onceflow.inbox.internal.consumer;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Handles messages that were parked. */
@FunctionalInterface
public interface Redriver {

  /**
   * Takes a message from where it is parked and settles it, in one transaction. When it throws,
   * nothing was kept, and the message is parked as before.
   *
   * @return false when it was not parked any more
   * @throws UnprocessableMessage when it still cannot be handled
   */
  boolean redrive(Parked parked) throws SQLException;

  /** The types of commands that it knows: of those that were deferred it is given these. */
  default Set<String> types() {
    return Set.of();
  }

  /** A message that is parked. */
  @FunctionalInterface
  interface Parked {

    /** Takes it from there, if the transaction commits; empty when it is not there any more. */
    Optional<Delivery> take(Transaction tx) throws SQLException;
  }
}
