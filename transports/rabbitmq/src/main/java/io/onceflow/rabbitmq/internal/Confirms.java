package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The publisher confirms of one channel. An unroutable message is <em>confirmed</em> by RabbitMQ,
 * with the return arriving before the ack; so a confirmed message counts only when it was not
 * returned. Qpid Broker-J nacks it, and returns it after that.
 */
final class Confirms {

  /** Why a message is refused that the broker has nacked and not returned. */
  static final String NACKED = "the broker did not take it (nack)";

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private final Set<UUID> confirmed = new HashSet<>();
  private final Map<UUID, String> refused = new HashMap<>();
  private final Runnable onAnswer;

  /** What waits for its answer, by sequence number; these only rise. */
  private final SequencedMap<Long, UUID> waiting = new LinkedHashMap<>();

  private boolean closed;

  Confirms() {
    this(() -> {});
  }

  /**
   * @param onAnswer run after each answer of the broker, on the client's thread; must not block
   */
  Confirms(Runnable onAnswer) {
    this.onAnswer = onAnswer;
  }

  /** Before a message is published under this sequence number, which is higher than any before. */
  void expect(long sequenceNumber, UUID id) {
    locked(() -> waiting.put(sequenceNumber, id));
  }

  /** For a message that could not be published after all. */
  void forget(long sequenceNumber) {
    answer(sequenceNumber, false, id -> {});
  }

  /** A return that comes after its message's fate was told says nothing about the next attempt. */
  void returned(UUID id, String why) {
    locked(
        () -> {
          if (refused.containsKey(id) || waiting.containsValue(id)) {
            refused.put(id, why);
          }
        });
  }

  void acked(long sequenceNumber, boolean multiple) {
    answer(
        sequenceNumber,
        multiple,
        id -> {
          if (!refused.containsKey(id)) {
            confirmed.add(id);
          }
        });
  }

  void nacked(long sequenceNumber, boolean multiple) {
    answer(sequenceNumber, multiple, id -> refused.putIfAbsent(id, NACKED));
  }

  /** The channel is gone: what is still waiting will never be answered. */
  void close() {
    locked(() -> closed = true);
    onAnswer.run();
  }

  /** Waits for the rest, at most until the deadline, and starts anew. */
  Published await(Duration deadline) throws InterruptedException {
    lock.lock();
    try {
      long nanos = deadline.toNanos();
      while (!waiting.isEmpty() && !closed && nanos > 0) {
        nanos = settled.awaitNanos(nanos);
      }
      return told();
    } finally {
      lock.unlock();
    }
  }

  /** What has been answered since it was last asked for; does not wait. */
  Published answered() {
    lock.lock();
    try {
      // One that was returned but not yet acked is not answered: its ack would count as a confirm.
      return !waiting.isEmpty() && !refused.isEmpty() ? toldOfAnswered() : told();
    } finally {
      lock.unlock();
    }
  }

  /** True when every message published so far has been answered. */
  boolean isSettled() {
    lock.lock();
    try {
      return waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private Published told() {
    Published published = new Published(Set.copyOf(confirmed), Map.copyOf(refused));
    confirmed.clear();
    refused.clear();
    return published;
  }

  private Published toldOfAnswered() {
    Map<UUID, String> waitingForAck = new HashMap<>(refused);
    waitingForAck.keySet().retainAll(waiting.values());
    refused.keySet().removeAll(waitingForAck.keySet());
    Published published = told();
    refused.putAll(waitingForAck);
    return published;
  }

  private void answer(long sequenceNumber, boolean multiple, Consumer<UUID> verdict) {
    locked(
        () -> {
          while (multiple && !waiting.isEmpty() && oldest() <= sequenceNumber) {
            verdict.accept(waiting.pollFirstEntry().getValue());
          }
          UUID id = waiting.remove(sequenceNumber);
          if (id != null) {
            verdict.accept(id);
          }
        });
    onAnswer.run();
  }

  private long oldest() {
    return waiting.firstEntry().getKey();
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      settled.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
