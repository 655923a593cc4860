package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;

/** Where a message goes that cannot be handled. */
@FunctionalInterface
public interface ParkedMessageSink {

  /** For what is redriven: it is parked already, so that it still cannot be handled is its end. */
  ParkedMessageSink NONE =
      (tx, delivery, why) -> {
        throw why;
      };

  /** Parks one message in the caller's transaction. */
  void park(Transaction tx, Delivery delivery, UnprocessableMessage why) throws SQLException;
}
