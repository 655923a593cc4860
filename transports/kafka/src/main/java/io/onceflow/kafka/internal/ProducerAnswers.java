package io.onceflow.kafka.internal;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.jspecify.annotations.Nullable;

/** What a producer has said about the messages of one channel. */
final class ProducerAnswers {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Runnable onAnswer;

  /** How many records of each message are not answered. */
  private final Map<UUID, Integer> waiting = new HashMap<>();

  private Set<UUID> confirmed = new HashSet<>();
  private Map<UUID, String> refused = new HashMap<>();
  private boolean broken;

  ProducerAnswers(Runnable onAnswer) {
    this.onAnswer = onAnswer;
  }

  void expect(UUID id, int records) {
    locked(() -> waiting.put(id, records));
  }

  /** Nothing is sent of it. */
  void refuse(UUID id, String why) {
    locked(() -> refused.put(id, why));
    onAnswer.run();
  }

  /** Nothing is sent of it, since nothing would receive it. */
  void confirm(UUID id) {
    locked(() -> confirmed.add(id));
    onAnswer.run();
  }

  /**
   * Of one record.
   *
   * @param failure null when all replicas in sync have it
   */
  void answer(UUID id, @Nullable Exception failure) {
    locked(
        () -> {
          if (failure != null && !isRefusal(failure)) {
            broken = true;
            return;
          }
          if (failure != null) {
            refused.put(id, failure.toString());
          }
          if (waiting.merge(id, -1, Integer::sum) <= 0) {
            waiting.remove(id);
            if (!refused.containsKey(id)) {
              confirmed.add(id);
            }
          }
        });
    onAnswer.run();
  }

  /** Whether it was not taken for what it is; otherwise it is in doubt, and the producer too. */
  private static boolean isRefusal(Exception failure) {
    return failure instanceof ApiException
        && !(failure instanceof RetriableException
            || failure instanceof OutOfOrderSequenceException
            || failure instanceof UnknownProducerIdException
            || failure instanceof ProducerFencedException);
  }

  /** What has been answered since it was last asked for; does not wait. */
  Published answered() {
    lock.lock();
    try {
      Map<UUID, String> told = new HashMap<>(refused);
      told.keySet().removeAll(waiting.keySet());
      Published published = new Published(confirmed, told);
      confirmed = new HashSet<>();
      refused = new HashMap<>(refused);
      refused.keySet().removeAll(told.keySet());
      return published;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the rest, at most until the deadline. */
  Published await(Duration deadline) throws InterruptedException {
    lock.lock();
    try {
      long nanos = deadline.toNanos();
      while (!waiting.isEmpty() && !broken && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
    return answered();
  }

  /** True once something is in doubt. */
  boolean isBroken() {
    lock.lock();
    try {
      return broken;
    } finally {
      lock.unlock();
    }
  }

  /** True when every message so far has been answered. */
  boolean isSettled() {
    lock.lock();
    try {
      return waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
