package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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

  /** How often a thread writes what others have committed meanwhile; then the loop goes on. */
  private static final int MOST_TURNS = 2;

  private final OutboxConfig.Relay config;
  private final LongSupplier ticker;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Committed> waiting = new ArrayDeque<>();
  private final Map<UUID, Committed> heldUp = new LinkedHashMap<>();
  private final InFlightMessages inFlight = new InFlightMessages();
  private @Nullable MessageChannel channel;
  private @Nullable Throwable failure;
  private int confirmed;
  private boolean isAtRest;
  private boolean isWoken;

  /**
   * A committed message.
   *
   * @param until by the ticker, from which on any relay may publish it
   */
  private record Committed(OutboxMessage message, long until) {}

  public DirectPublisher(OutboxConfig.Relay config) {
    this(config, System::nanoTime);
  }

  /**
   * @param ticker as {@link System#nanoTime()}
   */
  DirectPublisher(OutboxConfig.Relay config, LongSupplier ticker) {
    this.config = config;
    this.ticker = ticker;
  }

  /** How long a row that is now written is left to this process; zero if it takes none. */
  Duration grace() {
    return locked(
        () -> {
          collect(channel);
          return isOpen() && hasRoomFor(1) ? config.directPublishGrace() : Duration.ZERO;
        });
  }

  long now() {
    return ticker.getAsLong();
  }

  private boolean isOpen() {
    return channel != null && failure == null && channel.isOpen() && !channel.isBlocked();
  }

  private boolean hasRoomFor(int messages) {
    return waiting.size() + heldUp.size() + inFlight.size() + messages
        <= config.directPublishRoom();
  }

  /**
   * Publishes committed messages, or leaves them to the relays.
   *
   * @param later the ids of those that an older one of their aggregate precedes
   * @param until by the ticker, from which on any relay may publish them
   */
  void publish(List<OutboxMessage> messages, Set<UUID> later, long until) {
    lock.lock();
    try {
      if (messages.isEmpty() || !isOpen() || !hasRoomFor(messages.size())) {
        return;
      }
      for (OutboxMessage message : messages) {
        Committed committed = new Committed(message, until);
        if (later.contains(message.id())) {
          heldUp.put(message.id(), committed);
        } else {
          waiting.add(committed);
        }
      }
      if (isAtRest) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
    write();
  }

  /** Writes what waits, unless another thread does. */
  void write() {
    int turns = 0;
    while (turns < MOST_TURNS && isWaiting() && writing.tryLock()) {
      try {
        turns++;
        writeNext();
      } finally {
        writing.unlock();
      }
    }
    if (turns == MOST_TURNS && isWaiting()) {
      wake();
    }
  }

  /** The messages that an older one precedes, which may be gone by now. */
  List<OutboxMessage> heldUp() {
    return locked(
        () -> {
          heldUp.values().removeIf(one -> one.until() - now() < 0);
          return heldUp.values().stream().map(Committed::message).toList();
        });
  }

  /** Publishes those of the messages that no older one precedes any more. */
  void publishHeldUp(List<OutboxMessage> looked, Set<UUID> later) {
    lock.lock();
    try {
      looked.stream()
          .filter(message -> !later.contains(message.id()))
          .map(message -> heldUp.remove(message.id()))
          .filter(Objects::nonNull)
          .forEach(waiting::add);
    } finally {
      lock.unlock();
    }
  }

  /** Whether messages wait to be written. */
  boolean isWaiting() {
    return size() > 0;
  }

  /** How many messages wait to be written. */
  public int size() {
    return locked(waiting::size);
  }

  /** Throws nothing: the transaction is committed, and its thread has other things to do. */
  private void writeNext() {
    MessageChannel open = locked(() -> channel);
    if (open == null) {
      return;
    }
    List<OutgoingMessage> batch = locked(() -> next(open));
    try {
      if (!batch.isEmpty()) {
        open.write(batch, config.confirmDeadline());
        if (!open.isOpen()) {
          throw new IOException("a message could not be written");
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      locked(() -> failure = e);
      wake();
    }
  }

  /** Without what took so long that another relay may have claimed it. */
  private List<OutgoingMessage> next(MessageChannel open) {
    long now = now();
    List<OutboxMessage> messages = new ArrayList<>();
    while (messages.size() < config.batchSize() && !waiting.isEmpty()) {
      Committed first = waiting.remove();
      if (first.until() - now > 0) {
        messages.add(first.message());
      }
    }
    List<OutboxMessage> sorted = AggregateOrdering.sorted(messages);
    List<OutgoingMessage> batch =
        open.isForPacks()
            ? OutgoingMessage.pack(sorted, BundlePolicy.by(config))
            : OutgoingMessage.each(sorted);
    inFlight.add(batch, now + config.confirmDeadline().toNanos());
    return batch;
  }

  private void collect(@Nullable MessageChannel from) {
    if (from != null) {
      confirmed += inFlight.answered(from.answered(), now());
    }
  }

  /**
   * What is on its way to the broker, or has arrived there and has a row, of the aggregates of
   * these messages. It holds up none that follows.
   */
  Set<UUID> underWay(Collection<OutboxMessage> messages) {
    return locked(() -> inFlight.ofAggregates(messages));
  }

  /** Rows to delete. They are the caller's until {@link #deleted} or {@link #putBack}. */
  Set<UUID> takeConfirmed() {
    return locked(
        () -> {
          collect(channel);
          return inFlight.takeConfirmed();
        });
  }

  /**
   * As {@link #takeConfirmed()}, if no transaction has taken them for this long, or they are many.
   */
  Set<UUID> takeConfirmed(Duration age, int many) {
    return locked(
        () -> {
          collect(channel);
          return inFlight.hasConfirmed(now() - age.toNanos(), many)
              ? inFlight.takeConfirmed()
              : Set.of();
        });
  }

  void deleted(Set<UUID> taken) {
    lock.lock();
    try {
      inFlight.deleted(taken);
    } finally {
      lock.unlock();
    }
  }

  void putBack(Set<UUID> taken) {
    lock.lock();
    try {
      inFlight.putBack(taken);
    } finally {
      lock.unlock();
    }
  }

  /** What the broker has refused since this was asked last, and why. */
  Map<OutboxMessage, String> takeRefused() {
    return locked(inFlight::takeRefused);
  }

  /** How many messages the broker has confirmed since this was asked last. */
  int takeConfirms() {
    return locked(
        () -> {
          int count = confirmed;
          confirmed = 0;
          return count;
        });
  }

  /** From now on messages are published on this channel. */
  public void open(MessageChannel opened) {
    lock.lock();
    try {
      failure = null;
      channel = opened;
    } finally {
      lock.unlock();
    }
  }

  /** False when the channel is closed or takes no messages, or an answer is overdue. */
  boolean isOfUse() {
    return locked(() -> isOpen() && !inFlight.isOverdue(now()));
  }

  /** Why writing to the channel failed; null where it did not. */
  @Nullable Throwable failure() {
    return locked(() -> failure);
  }

  /**
   * Waits until there is something to write.
   *
   * @param inUse at most so long, while messages are not answered or rows not deleted
   * @param atRest at most so long otherwise
   */
  void await(Duration inUse, Duration atRest) throws InterruptedException {
    lock.lock();
    try {
      isAtRest = inFlight.isEmpty() && heldUp.isEmpty();
      if (waiting.isEmpty() && !isWoken) {
        changed.awaitNanos((isAtRest ? atRest : inUse).toNanos());
      }
      isAtRest = false;
      isWoken = false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #await}. */
  void wake() {
    lock.lock();
    try {
      isWoken = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes no more, and waits for answers.
   *
   * @return the messages that are not answered
   */
  Set<UUID> close(Duration patience) throws InterruptedException {
    MessageChannel last = afterLastWrite(patience);
    Set<UUID> left = new HashSet<>();
    if (last != null) {
      Published answers = last.await(patience);
      last.close();
      locked(() -> confirmed += inFlight.answered(answers, now()));
    }
    lock.lock();
    try {
      waiting.forEach(one -> left.add(one.message().id()));
      waiting.clear();
      left.addAll(heldUp.keySet());
      heldUp.clear();
      left.addAll(inFlight.takeUnanswered());
      return left;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable MessageChannel afterLastWrite(Duration patience) throws InterruptedException {
    boolean isLast = writing.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    try {
      return locked(
          () -> {
            MessageChannel last = channel;
            channel = null;
            return last;
          });
    } finally {
      if (isLast) {
        writing.unlock();
      }
    }
  }

  private <T extends @Nullable Object> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
