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

  /** What it knows, such as types of commands: of deferred messages it is given those for it. */
  default Set<String> known() {
    return Set.of();
  }

  /** A message that is parked. */
  interface Parked {

    /** Where it came from. */
    String queue();

    /** Takes it from there, if the transaction commits; empty when it is not there any more. */
    Optional<Delivery> take(Transaction tx) throws SQLException;
  }
}
