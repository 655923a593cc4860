package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what this process commits, by the thread that has committed it. While one thread writes
 * to the channel, messages of others wait for it to write them as well.
 *
 * <p>Rule 3 holds: a row is deleted only when its message is confirmed, by the next transaction of
 * this process, or by {@link DirectPublishLoop} where none comes soon. If the process dies between
 * confirm and deletion, the message is published again. What is refused, late or in doubt is left
 * to the relays that read the table: rows are put off by a grace, within which no relay takes them.
 */
public final class DirectPublisher {

  /** How often a thread writes what others have committed meanwhile; then the loop continues. */
  private static final int MOST_TURNS = 2;

  private final OutboxConfig.Relay config;
  private final LongSupplier ticker;
  private final InFlightMessages messages;
  private final ReentrantLock writing = new ReentrantLock();
  private final Semaphore wakeUps = new Semaphore(0);
  private volatile @Nullable MessageChannel channel;
  private volatile @Nullable IOException failure;
  private volatile boolean isAtRest;

  public DirectPublisher(OutboxConfig.Relay config) {
    this(config, System::nanoTime);
  }

  /**
   * @param ticker as {@link System#nanoTime()}
   */
  DirectPublisher(OutboxConfig.Relay config, LongSupplier ticker) {
    this.config = config;
    this.ticker = ticker;
    this.messages = new InFlightMessages(config.directPublishRoom());
  }

  /** The messages, with what the broker has answered until now. */
  InFlightMessages messages() {
    MessageChannel open = channel;
    if (open != null) {
      messages.answered(open.answered(), now());
    }
    return messages;
  }

  long now() {
    return ticker.getAsLong();
  }

  /** How long a row that is now written is left to this process; zero if it takes none. */
  Duration grace() {
    return messages().hasRoomFor(1) && isOpen() ? config.directPublishGrace() : Duration.ZERO;
  }

  private boolean isOpen() {
    MessageChannel open = channel;
    return open != null && failure == null && open.isOpen() && !open.isBlocked();
  }

  /**
   * Publishes committed messages, or leaves them to the relays.
   *
   * @param later the ids of those that an older one of their aggregate precedes
   * @param until by the ticker, from which on any relay may publish them
   */
  void publish(List<OutboxMessage> committed, Set<UUID> later, long until) {
    if (isOpen() && messages.hasRoomFor(committed.size())) {
      messages.add(committed, later, until);
      if (isAtRest || !later.isEmpty()) {
        wake();
      }
      write();
    }
  }

  /** Writes what waits, unless another thread does. */
  void write() {
    int turns = 0;
    while (turns < MOST_TURNS && messages.isWaiting() && writing.tryLock()) {
      try {
        turns++;
        writeNext();
      } finally {
        writing.unlock();
      }
    }
    if (turns == MOST_TURNS && messages.isWaiting()) {
      wake();
    }
  }

  /** Throws nothing: the transaction is committed, and its thread has other things to do. */
  private void writeNext() {
    MessageChannel open = channel;
    if (open == null) {
      return;
    }
    try {
      long deadline = now() + config.confirmDeadline().toNanos();
      List<OutgoingMessage> batch =
          messages.take(config.batchSize(), now(), deadline, all -> outgoing(all, open));
      if (!batch.isEmpty()) {
        open.write(batch, config.confirmDeadline());
        if (!open.isOpen()) {
          throw new IOException("a message could not be written");
        }
      }
    } catch (IOException e) {
      failure = e;
      wake();
    } catch (RuntimeException | Error e) {
      failure = new IOException("messages could not be written", e);
      wake();
    }
  }

  private List<OutgoingMessage> outgoing(List<OutboxMessage> all, MessageChannel open) {
    List<OutboxMessage> sorted = AggregateOrdering.sorted(all);
    return open.isForBundles()
        ? OutgoingMessage.bundle(sorted, BundlePolicy.by(config))
        : OutgoingMessage.each(sorted);
  }

  /** From now on messages are published on this channel. */
  public void open(MessageChannel opened) {
    failure = null;
    channel = opened;
  }

  /** False when the channel is closed or takes no messages, or an answer is overdue. */
  boolean isOfUse() {
    return isOpen() && !messages().isOverdue(now());
  }

  /** Why writing to the channel failed; null where it did not. */
  @Nullable IOException failure() {
    return failure;
  }

  /**
   * Waits until there is something to write.
   *
   * @param inUse at most so long, while messages are not answered or rows not deleted
   * @param atRest at most so long otherwise
   */
  void await(Duration inUse, Duration atRest) throws InterruptedException {
    isAtRest = true; // before it is asked: what comes after that ends the wait
    isAtRest = messages.isEmpty();
    Duration most = isAtRest ? atRest : inUse;
    if (wakeUps.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
      wakeUps.drainPermits();
    }
    isAtRest = false;
  }

  /** Ends {@link #await}. */
  void wake() {
    wakeUps.release();
  }

  /**
   * Takes no more, and waits for answers.
   *
   * @return the messages that are not answered
   */
  Set<UUID> close(Duration patience) throws InterruptedException {
    MessageChannel last = channel;
    boolean isWritten = writing.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    channel = null;
    if (isWritten) {
      writing.unlock();
    }
    if (last != null) {
      messages.answered(last.await(patience), now());
      last.close();
    }
    return messages.takeUnanswered();
  }
}
