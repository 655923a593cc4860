package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells relay threads of this process that rows have been committed, or hands them the messages. A
 * signal raised while no thread waits is kept, so a commit just before the wait is not slept
 * through. Rows of other processes, and rows whose process died before it could signal, are found
 * by polling.
 */
@Singleton
public final class RelaySignal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();
  private long generation;
  private volatile @Nullable HandOver directPublish;

  /** Asked before messages are written: whether this process publishes them itself. */
  public PublishReservation hold() {
    return PublishReservation.by(directPublish);
  }

  /** After the commit of messages that were written as {@code held} says. */
  public void committed(PublishReservation held, List<OutboxMessage> messages) {
    if (!messages.isEmpty() && !held.committed(messages)) {
      raise();
    }
  }

  /** From now on committed messages go there; null for nowhere. */
  public void handTo(@Nullable HandOver other) {
    directPublish = other;
  }

  /** Has every relay thread look at once. */
  public void raise() {
    lock.lock();
    try {
      generation++;
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How often the signal has been raised; ask before looking, pass to {@link #await} after. */
  long generation() {
    lock.lock();
    try {
      return generation;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the signal is raised past {@code seen}, at most for {@code longest}. */
  void await(long seen, Duration longest) throws InterruptedException {
    lock.lock();
    try {
      long nanos = longest.toNanos();
      while (generation == seen && nanos > 0) {
        nanos = raised.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
