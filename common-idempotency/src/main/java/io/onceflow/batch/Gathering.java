package io.onceflow.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Does together what callers ask for at the same time, such as inserting their rows in one
 * transaction. Nobody waits for company: whoever comes while nothing is being done begins at once,
 * alone if need be; those who come meanwhile are done together next, by the first of them.
 *
 * <p>It has no thread of its own. A caller does at most one round of work, its own.
 *
 * @param <T> what callers bring
 * @param <R> what they get
 */
public final class Gathering<T, R> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Caller<T, R>> waiting = new ArrayDeque<>();
  private final int most;
  private final Work<T, R> work;
  private boolean busy;

  /** What is done with what callers bring. */
  @FunctionalInterface
  public interface Work<T, R> {

    /**
     * Does it for all, or for none: when it throws with several, each is tried by itself, so that
     * one that spoils it costs only itself.
     *
     * @return one result for each item, in their order
     */
    List<R> on(List<T> items) throws Exception;
  }

  /**
   * @param most items to a round, at least 1
   */
  public Gathering(int most, Work<T, R> work) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "a round of at most %d items does nothing".formatted(most));
    }
    this.most = most;
    this.work = work;
  }

  /**
   * Has it done and returns its result.
   *
   * @throws Exception what the work threw for this item alone
   * @throws InterruptedException when interrupted; then it may have been done or not
   */
  public R submit(T item) throws Exception {
    Caller<T, R> caller = queue(item);
    // Whoever comes when a round has just ended may lead one that is full without its own item.
    while (isToLead(caller)) {
      lead();
    }
    return caller.outcome();
  }

  private Caller<T, R> queue(T item) {
    lock.lock();
    try {
      Caller<T, R> caller = new Caller<>(item, lock.newCondition());
      waiting.add(caller);
      return caller;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until this one's work is done by another, or it is its turn to do it for all. */
  private boolean isToLead(Caller<T, R> caller) throws InterruptedException {
    lock.lock();
    try {
      while (busy && !caller.isDone) {
        caller.turn.await();
      }
      if (caller.isDone) {
        return false;
      }
      busy = true;
      return true;
    } catch (InterruptedException e) {
      waiting.remove(caller);
      wakeNext();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    List<Caller<T, R>> round = takeRound();
    try {
      doFor(round);
    } finally {
      lock.lock();
      try {
        busy = false;
        round.forEach(Caller::end);
        wakeNext();
      } finally {
        lock.unlock();
      }
    }
  }

  private List<Caller<T, R>> takeRound() {
    lock.lock();
    try {
      List<Caller<T, R>> round = new ArrayList<>();
      while (round.size() < most && !waiting.isEmpty()) {
        round.add(waiting.removeFirst());
      }
      return round;
    } finally {
      lock.unlock();
    }
  }

  /** The first who waits leads the next round, unless somebody already does. */
  private void wakeNext() {
    Caller<T, R> next = waiting.peekFirst();
    if (!busy && next != null) {
      next.turn.signal();
    }
  }

  private void doFor(List<Caller<T, R>> round) {
    try {
      List<R> results = work.on(round.stream().map(caller -> caller.item).toList());
      for (int i = 0; i < round.size(); i++) {
        round.get(i).result = results.get(i);
      }
    } catch (Exception | Error failure) {
      if (round.size() == 1) {
        round.getFirst().failure = failure;
      } else {
        round.forEach(caller -> doFor(List.of(caller)));
      }
    }
  }

  private static final class Caller<T, R> {

    private final T item;
    private final Condition turn;
    private boolean isDone;
    private @Nullable R result;
    private @Nullable Throwable failure;

    private Caller(T item, Condition turn) {
      this.item = item;
      this.turn = turn;
    }

    private void end() {
      isDone = true;
      turn.signal();
    }

    private R outcome() throws Exception {
      return switch (failure) {
        case null -> resultThere();
        case Exception e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      };
    }

    private R resultThere() {
      R there = result;
      if (there == null) {
        throw new IllegalStateException("the work had no result for " + item);
      }
      return there;
    }
  }
}
