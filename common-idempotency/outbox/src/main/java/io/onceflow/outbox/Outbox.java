package io.onceflow.outbox;

import io.onceflow.outbox.internal.relay.Relay;
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
}
