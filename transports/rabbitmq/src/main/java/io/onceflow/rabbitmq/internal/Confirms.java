package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The publisher confirms of one channel. An unroutable message is <em>confirmed</em> by RabbitMQ,
 * with the return arriving before the ack; so a confirmed message counts only when it was not
 * returned. Qpid Broker-J nacks it, and returns it after that.
 */
final class Confirms {

  /** Why a message is refused that the broker has nacked and not returned. */
  static final String NACKED = "the broker did not take it (nack)";

  /** Why a pack is refused that came back, having been taken there before. */
  static final String NOT_UNPACKED = "no queue is bound for packs there any more";

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private final Set<UUID> confirmed = new HashSet<>();
  private final Map<UUID, String> refused = new HashMap<>();
  private final Runnable onAnswer;

  /** What waits for its answer, by sequence number; these only rise. */
  private final SequencedMap<Long, Publication> waiting = new LinkedHashMap<>();

  /** How many publications each id waits for; absent for none. */
  private final Map<UUID, Integer> open = new HashMap<>();

  /** Ids of several messages that have not all been published. */
  private final Set<UUID> incomplete = new HashSet<>();

  private boolean closed;

  /**
   * Something published.
   *
   * @param id what it is answered by, once all publications with this id are answered
   * @param messageId what a return names
   */
  private record Publication(UUID id, UUID messageId) {}

  /**
   * @param onAnswer run after each answer of the broker, on the client's thread; must not block
   */
  Confirms(Runnable onAnswer) {
    this.onAnswer = onAnswer;
  }

  /** Whether a message was refused in a pack, and perhaps for being in one. */
  static boolean isOfPack(@Nullable String refusal) {
    return NACKED.equals(refusal) || NOT_UNPACKED.equals(refusal);
  }

  /**
   * Before a message is published, perhaps one of several that are confirmed together, and refused
   * if one is.
   *
   * @param sequenceNumber higher than any before
   * @param id of all of them
   * @param isLast after which they can be confirmed
   */
  void expect(long sequenceNumber, UUID id, UUID messageId, boolean isLast) {
    locked(
        () -> {
          waiting.put(sequenceNumber, new Publication(id, messageId));
          open.merge(id, 1, Integer::sum);
          if (isLast) {
            incomplete.remove(id);
          } else {
            incomplete.add(id);
          }
        });
  }

  /** For a message that could not be published after all. */
  void forget(long sequenceNumber) {
    answer(sequenceNumber, false, incomplete::add);
  }

  /** A return that comes after its message's fate was told says nothing about the next attempt. */
  void returned(UUID messageId, String why) {
    locked(
        () -> {
          if (refused.containsKey(messageId)) {
            refused.put(messageId, why);
          }
          waiting.values().stream()
              .filter(publication -> publication.messageId().equals(messageId))
              .findFirst()
              .ifPresent(publication -> refused.put(publication.id(), why));
        });
  }

  void acked(long sequenceNumber, boolean multiple) {
    answer(
        sequenceNumber,
        multiple,
        id -> {
          if (!refused.containsKey(id) && !open.containsKey(id) && !incomplete.contains(id)) {
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

  /**
   * Waits for the answer to one that is alone with its id. If that is no, it is as if it had not
   * been published, so that its messages can be.
   *
   * @return whether it was confirmed; empty when the channel closes or the time is up before
   */
  Optional<Boolean> awaitOne(UUID id, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (open.containsKey(id) && !closed && nanos > 0) {
        nanos = settled.awaitNanos(nanos);
      }
      if (!open.containsKey(id) && refused.remove(id) != null) {
        return Optional.of(false);
      }
      return confirmed.contains(id) ? Optional.of(true) : Optional.empty();
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
    waitingForAck.keySet().retainAll(open.keySet());
    refused.keySet().removeAll(waitingForAck.keySet());
    Published published = told();
    refused.putAll(waitingForAck);
    return published;
  }

  private void answer(long sequenceNumber, boolean multiple, Consumer<UUID> verdict) {
    locked(
        () -> {
          while (multiple && !waiting.isEmpty() && oldest() <= sequenceNumber) {
            settle(waiting.pollFirstEntry().getValue(), verdict);
          }
          Publication publication = waiting.remove(sequenceNumber);
          if (publication != null) {
            settle(publication, verdict);
          }
        });
    onAnswer.run();
  }

  private void settle(Publication publication, Consumer<UUID> verdict) {
    open.computeIfPresent(publication.id(), (id, count) -> count == 1 ? null : count - 1);
    verdict.accept(publication.id());
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
