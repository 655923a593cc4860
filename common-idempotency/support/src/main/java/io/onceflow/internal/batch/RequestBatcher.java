package io.onceflow.internal.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Processes together what callers submit at the same time, such as inserting their rows in one
 * transaction. A call that comes while no round runs begins a round at once, alone if need be; the
 * calls that come meanwhile form the next round, which the first of them runs.
 *
 * <p>The rounds run on the callers' threads. A caller runs at most one round, its own.
 *
 * <p>A round that hangs, on a connection that has gone silent for example, stops only the caller
 * that runs it: after {@link BatchingLimits#overtakeAfter} another round runs beside it, with the
 * other items of the first. Hence the work must be repeatable: an item may be processed twice.
 *
 * @param <T> what callers submit
 * @param <R> its result
 */
public final class RequestBatcher<T, R> {

  /** Checks for a hanging round within {@link BatchingLimits#overtakeAfter}. */
  private static final int LOOKS = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Caller<T, R>> waiting = new ArrayDeque<>();
  private final int most;
  private final BatchingLimits limits;
  private final Work<T, R> work;
  private int running;
  private long lastBegan;

  /** Processes the items of a round. */
  @FunctionalInterface
  public interface Work<T, R> {

    /**
     * Processes all items or none. When it throws with several, each item is tried by itself, so
     * that one that cannot be processed fails alone.
     *
     * @return one result for each item, in their order
     */
    List<R> on(List<T> items) throws Exception;
  }

  /**
   * @param most items to a round, at least 1
   */
  public RequestBatcher(int most, Work<T, R> work) {
    this(most, BatchingLimits.usual(), work);
  }

  /**
   * @param most items to a round, at least 1
   * @param limits of waiting
   */
  public RequestBatcher(int most, BatchingLimits limits, Work<T, R> work) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "a round of at most %s items does nothing".formatted(most));
    }
    this.most = most;
    this.limits = limits;
    this.work = work;
  }

  /**
   * Has an item processed and returns its result.
   *
   * @throws Exception what the work threw for this item alone
   * @throws TimeoutException when it was not done within the deadline; it may still be done
   * @throws InterruptedException when interrupted; then it may have been done or not
   */
  public R submit(T item) throws Exception {
    Caller<T, R> caller = queue(item);
    // A caller that comes when a round has just ended may lead one that is full without its item.
    while (isToLead(caller)) {
      lead();
    }
    return caller.outcome();
  }

  /** How many items wait for a round to begin. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
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

  /** Waits until another caller has processed the item, or this caller is to run the next round. */
  private boolean isToLead(Caller<T, R> caller) throws InterruptedException, TimeoutException {
    lock.lock();
    try {
      while (!caller.isDone) {
        queueAgainIfRoundHangs(caller);
        if (caller.isWaiting && mayBegin()) {
          running++;
          lastBegan = System.nanoTime();
          return true;
        }
        await(caller);
      }
      return false;
    } catch (InterruptedException | TimeoutException e) {
      caller.isDone = true;
      waiting.remove(caller);
      wakeNext();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** True if no round runs, or the last one hangs and one more is allowed. */
  private boolean mayBegin() {
    return running == 0 || running < limits.rounds() && isOverdue(lastBegan);
  }

  private boolean isOverdue(long began) {
    return System.nanoTime() - began >= limits.overtakeAfter().toNanos();
  }

  private void queueAgainIfRoundHangs(Caller<T, R> caller) {
    if (!caller.isWaiting && isOverdue(caller.takenAt)) {
      caller.isWaiting = true;
      waiting.addFirst(caller);
    }
  }

  private void await(Caller<T, R> caller) throws InterruptedException, TimeoutException {
    long left = limits.deadline().toNanos() - (System.nanoTime() - caller.since);
    if (left <= 0) {
      throw new TimeoutException(
          "not done within %s: rounds before it hang".formatted(limits.deadline()));
    }
    caller.turn.awaitNanos(Math.min(left, limits.overtakeAfter().toNanos() / LOOKS));
  }

  private void lead() {
    List<Caller<T, R>> round = takeRound();
    try {
      doFor(round);
    } finally {
      lock.lock();
      try {
        running--;
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
        Caller<T, R> next = waiting.removeFirst();
        next.isWaiting = false;
        next.takenAt = System.nanoTime();
        round.add(next);
      }
      return round;
    } finally {
      lock.unlock();
    }
  }

  /** The first waiting caller runs the next round, unless another caller already does. */
  private void wakeNext() {
    Caller<T, R> next = waiting.peekFirst();
    if (next != null && mayBegin()) {
      next.turn.signal();
    }
  }

  private void doFor(List<Caller<T, R>> round) {
    try {
      List<R> results = work.on(round.stream().map(caller -> caller.item).toList());
      for (int i = 0; i < round.size(); i++) {
        end(round.get(i), results.get(i), null);
      }
    } catch (Exception | Error failure) {
      if (round.size() == 1) {
        end(round.getFirst(), null, failure);
      } else {
        round.stream().filter(this::isWanted).forEach(caller -> doFor(List.of(caller)));
      }
    }
  }

  /** False once another round has processed the item, or its caller has given up. */
  private boolean isWanted(Caller<T, R> caller) {
    lock.lock();
    try {
      return !caller.isDone;
    } finally {
      lock.unlock();
    }
  }

  /** If an item was in two rounds, the first result counts. */
  private void end(Caller<T, R> caller, @Nullable R result, @Nullable Throwable failure) {
    lock.lock();
    try {
      if (!caller.isDone) {
        caller.isDone = true;
        caller.result = result;
        caller.failure = failure;
        waiting.remove(caller);
        caller.turn.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private static final class Caller<T, R> {

    private final T item;
    private final Condition turn;
    private final long since = System.nanoTime();
    private boolean isWaiting = true;
    private long takenAt;
    private boolean isDone;
    private @Nullable R result;
    private @Nullable Throwable failure;

    private Caller(T item, Condition turn) {
      this.item = item;
      this.turn = turn;
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
