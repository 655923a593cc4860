package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where messages wait in memory that this process has committed and is about to publish itself.
 * Their rows are put off by a grace, within which no other relay takes them; so what is lost here,
 * with the process or because there is no room, is published out of the table after it.
 */
public final class DirectPublishQueue implements HandOver {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Handed> waiting = new ArrayDeque<>();
  private final Duration grace;
  private final int room;
  private boolean open;
  private boolean answered;

  /**
   * A committed message.
   *
   * @param until {@link System#nanoTime()} from which on any relay may publish it
   */
  record Handed(OutboxMessage message, long until) {}

  /**
   * @param room how many messages may wait
   */
  public DirectPublishQueue(Duration grace, int room) {
    this.grace = grace;
    this.room = room;
  }

  @Override
  public Duration grace() {
    lock.lock();
    try {
      return open && waiting.size() < room ? grace : Duration.ZERO;
    } finally {
      lock.unlock();
    }
  }

  /** Takes committed messages, unless there is no room or no thread to publish them. */
  @Override
  public void offer(List<OutboxMessage> messages, long until) {
    lock.lock();
    try {
      if (hasRoomFor(messages)) {
        messages.forEach(message -> waiting.add(new Handed(message, until)));
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoomFor(List<OutboxMessage> messages) {
    return open && waiting.size() + messages.size() <= room;
  }

  /** The broker has answered; the publishing thread should look at it. */
  void answered() {
    lock.lock();
    try {
      answered = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What waits, at most so many, in the order of the commits as they were told; waits for a message
   * at most so long, and when the broker has answered something, only as long as lingering.
   */
  List<Handed> take(int most, Duration longest, Duration linger) throws InterruptedException {
    lock.lock();
    try {
      long end = System.nanoTime() + longest.toNanos();
      boolean isLingering = false;
      while (most <= 0 || waiting.isEmpty()) {
        if (answered && !isLingering) {
          isLingering = true;
          end = Math.min(end, System.nanoTime() + (most <= 0 ? 0 : linger.toNanos()));
        }
        if (changed.awaitNanos(end - System.nanoTime()) <= 0) {
          break;
        }
      }
      answered = false;
      List<Handed> taken = new ArrayList<>(Math.min(Math.max(most, 0), waiting.size()));
      while (taken.size() < most && !waiting.isEmpty()) {
        taken.add(waiting.poll());
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  public void open() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more, and gives back what still waits. */
  List<Handed> close() {
    lock.lock();
    try {
      open = false;
      List<Handed> left = List.copyOf(waiting);
      waiting.clear();
      changed.signal();
      return left;
    } finally {
      lock.unlock();
    }
  }

  public int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
