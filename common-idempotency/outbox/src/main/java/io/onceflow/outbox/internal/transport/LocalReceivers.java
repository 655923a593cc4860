package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import java.sql.SQLException;
import java.util.List;

/**
 * Receivers in this process, which get commands and replies of sagas without a row of the outbox. A
 * command that is lost with the process is made up for by the saga's timer, which sends it again
 * under the same key; a step that was carried out is answered from the inbox (rules 8 and 12).
 */
public interface LocalReceivers {

  /** No receiver is in this process. */
  LocalReceivers NONE =
      new LocalReceivers() {

        @Override
        public boolean take(OutboxMessage message) {
          return false;
        }

        @Override
        public void settle(Transaction tx, boolean isJta, List<OutboxMessage> messages) {
          // All are left.
        }

        @Override
        public void deliver(List<OutboxMessage> committed) {
          // None was taken.
        }
      };

  /** Whether one of them takes this message after the commit of its transaction. */
  boolean take(OutboxMessage message);

  /**
   * Settles the messages whose receiver works in the transaction that sends them.
   *
   * @param isJta whether it is a JTA transaction
   * @param messages what it sends; those that are settled are removed, and what follows from them
   *     is added
   */
  void settle(Transaction tx, boolean isJta, List<OutboxMessage> messages) throws SQLException;

  /** Passes messages that were {@linkplain #take taken} and are committed; never blocks. */
  void deliver(List<OutboxMessage> committed);
}
