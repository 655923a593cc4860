package io.onceflow.inbox;

import io.onceflow.outbox.Transaction;
import java.sql.SQLException;

/** Where a message goes that cannot be handled. */
@FunctionalInterface
interface ParkedMessageSink {

  /** For what is redriven: it is parked already, so that it still cannot be handled is its end. */
  ParkedMessageSink NONE =
      (tx, delivery, why) -> {
        throw why;
      };

  /** Parks one message in the caller's transaction. */
  void park(Transaction tx, Delivery delivery, UnprocessableMessage why) throws SQLException;
}
