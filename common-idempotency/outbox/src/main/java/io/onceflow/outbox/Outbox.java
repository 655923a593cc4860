package io.onceflow.outbox;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.Relay;
import java.sql.Connection;
import java.util.Collection;

/**
 * Records messages in the transaction of the business write; the {@link Relay} publishes them once
 * it has committed.
 *
 * <pre>{@code
 * @POST @Idempotent
 * public Response place(PlaceOrderRequest request) {
 *   orders.persist(order);
 *   outbox.send(List.of(orderCreated(order)));   // same commit, or neither
 * }
 * }</pre>
 */
public interface Outbox {

  /**
   * Records messages in the caller's JTA transaction and wakes the relay after its commit.
   *
   * @throws IllegalStateException when no transaction is open: a message recorded on its own would
   *     break rule 1
   */
  void send(Collection<OutboxMessage> messages);

  /** An open transaction of a {@link UnitOfWork}: what is written and what is sent, together. */
  interface Transaction {

    /** The connection; the unit of work commits and closes it. */
    Connection connection();

    /** Records messages to be sent when, and only when, this transaction commits. */
    void send(Collection<OutboxMessage> messages);

    /**
     * As {@link #send}, for messages that were sent before. One that waits to be published, as
     * during an outage of the broker, is not recorded once more.
     */
    default void sendAgain(Collection<OutboxMessage> messages) {
      send(messages);
    }

    /** Runs something when, and only when, this transaction has committed, such as a log line. */
    void afterCommit(Runnable told);
  }
}
