package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.internal.transport.LocalReceivers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the relay threads of this process when rows have been committed that they are to publish. A
 * signal raised while no thread waits is kept, so a commit just before the wait is not slept
 * through. Rows of other processes, and rows whose process died before it could signal, are found
 * by polling.
 */
@Singleton
public final class RelaySignal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();
  private long generation;
  private volatile @Nullable DirectPublisher publisher;
  private volatile boolean keepsRows = true;
  private volatile LocalReceivers localReceivers = LocalReceivers.NONE;

  /** Before messages are written. */
  public PublishReservation reserve() {
    return new PublishReservation(this, publisher, keepsRows);
  }

  /** From now on this publishes what is committed; null if only the relays do. */
  public void publishBy(@Nullable DirectPublisher direct) {
    publisher = direct;
  }

  /** From now on another program publishes what it reads in the log, such as Debezium. */
  void leaveToTheLog() {
    keepsRows = false;
  }

  /** Receivers of this process, which get messages without a row. */
  public LocalReceivers localReceivers() {
    return localReceivers;
  }

  /** From now on these get theirs so. */
  public void deliverTo(LocalReceivers receivers) {
    localReceivers = receivers;
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
