package io.onceflow.local.internal;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A command reaches its participant, and a reply its saga, without a row of the outbox. The command
 * is passed after the commit that decides on it; the reply is settled in the transaction that
 * records the step's result. A reply that cannot be settled so has a row, as through a broker: the
 * step's result does not depend on what its saga makes of it.
 */
final class DirectReceivers implements LocalReceivers {

  /** By which the sender knows that the same again does not fail so. */
  private static final String SERIALIZATION_FAILURE = "40001";

  private final LocalTransport transport;
  private final Map<LocalQueue, IdempotentReceiver> receivers = new ConcurrentHashMap<>();

  /** The sagas whose next reply is not settled in the transaction that sends it. */
  private final Set<String> apart = ConcurrentHashMap.newKeySet();

  DirectReceivers(LocalTransport transport) {
    this.transport = transport;
  }

  void add(LocalQueue queue, IdempotentReceiver receiver) {
    receivers.keySet().removeIf(LocalQueue::isResting);
    receivers.put(queue, receiver);
  }

  @Override
  public boolean take(OutboxMessage message) {
    return message.exchange().equals(OutboxMessage.COMMANDS) && roomFor(message).isPresent();
  }

  /** Whether a saga sends it again, or has it answered again: it may get lost. */
  private static boolean isSentAgain(OutboxMessage message) {
    return message.correlationId() != null
        && message.headers().containsKey(MessageHeaders.SAGA_STEP);
  }

  /** The queue that takes it without a row; empty where it needs one. */
  private Optional<LocalQueue> roomFor(OutboxMessage message) {
    return isSentAgain(message) ? queueOf(message).filter(LocalQueue::hasRoom) : Optional.empty();
  }

  private Optional<LocalQueue> queueOf(OutboxMessage message) {
    return transport.queueOf(message.exchange(), message.routingKey());
  }

  @Override
  public void settle(Transaction tx, boolean isJta, List<OutboxMessage> messages)
      throws SQLException {
    Map<IdempotentReceiver, List<Delivery>> settled = new LinkedHashMap<>();
    for (OutboxMessage message : List.copyOf(messages)) {
      Optional<LocalQueue> queue = roomFor(message);
      Optional<IdempotentReceiver> receiver =
          queue.map(receivers::get).filter(it -> isJta || !it.needsJta());
      if (receiver.isPresent() && !apart.remove(message.correlationId())) {
        messages.remove(message);
        settled
            .computeIfAbsent(receiver.get(), its -> new ArrayList<>())
            .add(queue.get().delivery(message, () -> {}));
      }
    }
    for (Map.Entry<IdempotentReceiver, List<Delivery>> its : settled.entrySet()) {
      settle(tx, its.getKey(), its.getValue());
    }
  }

  private void settle(Transaction tx, IdempotentReceiver receiver, List<Delivery> deliveries)
      throws SQLException {
    try {
      receiver.settle(tx, deliveries, LocalTransport.NAME);
    } catch (SQLException | RuntimeException | Error failure) {
      if (FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      deliveries.forEach(reply -> apart.add(String.valueOf(reply.correlationId())));
      throw new SQLException(
          "a saga cannot be answered in this transaction; it is answered after the next attempt",
          SERIALIZATION_FAILURE,
          failure);
    }
  }

  @Override
  public void deliver(List<OutboxMessage> committed) {
    committed.forEach(message -> queueOf(message).orElseThrow().acceptWithoutRow(message));
  }
}
