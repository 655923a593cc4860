package io.onceflow.outbox;

import io.onceflow.outbox.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Book-keeping of one channel's publisher confirms. An unroutable message is <em>confirmed</em> by
 * RabbitMQ, with the return arriving before the ack; so a confirmed message counts only when it was
 * not returned. Qpid Broker-J nacks it, and returns it after that.
 */
final class Confirms {

  private static final String NACKED = "the broker did not take it (nack)";

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private final ConcurrentNavigableMap<Long, UUID> waiting = new ConcurrentSkipListMap<>();
  private final Set<UUID> confirmed = new HashSet<>();
  private final Map<UUID, String> refused = new HashMap<>();
  private boolean closed;

  /** Before a message is published under this sequence number. */
  void expect(long sequenceNumber, UUID id) {
    waiting.put(sequenceNumber, id);
  }

  /** For a message that could not be published after all. */
  void forget(long sequenceNumber) {
    locked(() -> waiting.remove(sequenceNumber));
  }

  /** A return that comes after its message's fate was told says nothing about the next attempt. */
  void returned(UUID id, String why) {
    locked(
        () -> {
          if (waiting.containsValue(id) || refused.containsKey(id)) {
            refused.put(id, why);
          }
        });
  }

  void acked(long sequenceNumber, boolean multiple) {
    settle(
        sequenceNumber,
        multiple,
        id -> {
          if (!refused.containsKey(id)) {
            confirmed.add(id);
          }
        });
  }

  void nacked(long sequenceNumber, boolean multiple) {
    settle(sequenceNumber, multiple, id -> refused.putIfAbsent(id, NACKED));
  }

  /** The channel is gone: what is still waiting will never be answered. */
  void close() {
    locked(() -> closed = true);
  }

  /** Waits for the rest, at most until the deadline, and starts anew. */
  Published await(Duration deadline) throws InterruptedException {
    lock.lock();
    try {
      long nanos = deadline.toNanos();
      while (!waiting.isEmpty() && !closed && nanos > 0) {
        nanos = settled.awaitNanos(nanos);
      }
      Published published = new Published(Set.copyOf(confirmed), Map.copyOf(refused));
      confirmed.clear();
      refused.clear();
      return published;
    } finally {
      lock.unlock();
    }
  }

  /** True when every message published so far has been answered. */
  boolean isSettled() {
    return waiting.isEmpty();
  }

  private void settle(long sequenceNumber, boolean multiple, Consumer<UUID> verdict) {
    locked(
        () -> {
          var answered =
              multiple
                  ? waiting.headMap(sequenceNumber, true)
                  : waiting.subMap(sequenceNumber, true, sequenceNumber, true);
          answered.values().forEach(verdict);
          answered.clear();
        });
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
