package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a transport has answered about the messages of one channel. */
public final class PendingAnswers {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How many parts of each message are not answered. */
  private final Map<UUID, Integer> waiting = new HashMap<>();

  private Set<UUID> confirmed = new HashSet<>();
  private Map<UUID, String> refused = new HashMap<>();
  private boolean isInDoubt;

  /** Before so many parts of it are sent. */
  public void expect(UUID id, int parts) {
    locked(() -> waiting.put(id, parts));
  }

  /** It is not sent, or not all of it. */
  public void refuse(UUID id, String why) {
    locked(
        () -> {
          waiting.remove(id);
          refused.put(id, why);
        });
  }

  /** Says more of why it was refused, if that was not told yet. */
  public void explain(UUID id, String why) {
    locked(() -> refused.computeIfPresent(id, (it, before) -> why));
  }

  /** It need not be sent any more. */
  public void confirm(UUID id) {
    locked(() -> confirmed.add(id));
  }

  /**
   * Of one part.
   *
   * @param refusal null where it was taken
   */
  public void answer(UUID id, @Nullable String refusal) {
    locked(
        () -> {
          if (!waiting.containsKey(id)) {
            return;
          }
          if (refusal != null) {
            refused.put(id, refusal);
          }
          if (waiting.merge(id, -1, Integer::sum) <= 0) {
            waiting.remove(id);
            if (!refused.containsKey(id)) {
              confirmed.add(id);
            }
          }
        });
  }

  /** What waits for its answer is in doubt, and is waited for no longer. */
  public void doubt() {
    locked(() -> isInDoubt = true);
  }

  /** What has been answered since it was last asked for; does not wait. */
  public Published answered() {
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
  public Published await(Duration deadline) throws InterruptedException {
    awaitSettled(deadline);
    return answered();
  }

  /** Waits for the rest; returns whether all is answered. */
  public boolean awaitSettled(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (!waiting.isEmpty() && !isInDoubt && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** True once something is in doubt. */
  public boolean isInDoubt() {
    lock.lock();
    try {
      return isInDoubt;
    } finally {
      lock.unlock();
    }
  }

  /** True when every message so far has been answered. */
  public boolean isSettled() {
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
