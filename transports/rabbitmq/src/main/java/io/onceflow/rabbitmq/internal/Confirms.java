package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Book-keeping of one channel's publisher confirms. An unroutable message is <em>confirmed</em> by
 * RabbitMQ, with the return arriving before the ack; so a confirmed message counts only when it was
 * not returned. Qpid Broker-J nacks it, and returns it after that.
 */
final class Confirms {

  /** Why a message is refused that the broker has nacked and not returned. */
  static final String NACKED = "the broker did not take it (nack)";

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private final Set<UUID> confirmed = new HashSet<>();
  private final Map<UUID, String> refused = new HashMap<>();
  private final Runnable onAnswer;

  /** What waits, at its sequence number modulo the length, which is a power of two. */
  private @Nullable UUID[] ring = new @Nullable UUID[256];

  /** The oldest sequence number that may wait, and the one after the newest. */
  private long oldest = 1;

  private long next = 1;
  private int waiting;
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
    locked(
        () -> {
          if (waiting == 0) {
            oldest = sequenceNumber;
          }
          makeRoom(sequenceNumber);
          ring[slot(sequenceNumber)] = id;
          next = sequenceNumber + 1;
          waiting++;
        });
  }

  /** For a message that could not be published after all. */
  void forget(long sequenceNumber) {
    answer(sequenceNumber, false, id -> {});
  }

  /** A return that comes after its message's fate was told says nothing about the next attempt. */
  void returned(UUID id, String why) {
    locked(
        () -> {
          if (refused.containsKey(id) || isWaiting(id)) {
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
      while (waiting > 0 && !closed && nanos > 0) {
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
      return waiting > 0 && !refused.isEmpty() ? toldOfAnswered() : told();
    } finally {
      lock.unlock();
    }
  }

  /** True when every message published so far has been answered. */
  boolean isSettled() {
    lock.lock();
    try {
      return waiting == 0;
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
    Map<UUID, String> waitingForAck = new HashMap<>();
    refused.forEach(
        (id, why) -> {
          if (isWaiting(id)) {
            waitingForAck.put(id, why);
          }
        });
    refused.keySet().removeAll(waitingForAck.keySet());
    Published published = told();
    refused.putAll(waitingForAck);
    return published;
  }

  private void answer(long sequenceNumber, boolean multiple, Consumer<UUID> verdict) {
    locked(
        () -> {
          for (long n = multiple ? oldest : sequenceNumber; n <= sequenceNumber && n < next; n++) {
            settle(n, verdict);
          }
          while (oldest < next && ring[slot(oldest)] == null) {
            oldest++;
          }
          settled.signalAll();
        });
    onAnswer.run();
  }

  private void settle(long sequenceNumber, Consumer<UUID> verdict) {
    UUID id = sequenceNumber < oldest ? null : ring[slot(sequenceNumber)];
    if (id != null) {
      ring[slot(sequenceNumber)] = null;
      waiting--;
      verdict.accept(id);
    }
  }

  private boolean isWaiting(UUID id) {
    for (long n = oldest; n < next; n++) {
      if (id.equals(ring[slot(n)])) {
        return true;
      }
    }
    return false;
  }

  private void makeRoom(long sequenceNumber) {
    if (sequenceNumber - oldest < ring.length) {
      return;
    }
    @Nullable UUID[] larger = new @Nullable UUID[ring.length * 2];
    for (long n = oldest; n < next; n++) {
      larger[(int) (n & (larger.length - 1))] = ring[slot(n)];
    }
    ring = larger;
    makeRoom(sequenceNumber);
  }

  private int slot(long sequenceNumber) {
    return (int) (sequenceNumber & (ring.length - 1));
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
