package io.onceflow.idempotency;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Does for many callers at once what each of them asks for. A worker takes what has arrived, up to
 * a bound, and never waits for more; so a caller that is alone is served at once, and under load
 * groups are as large as what arrives while one is served.
 *
 * <p>Other than {@link io.onceflow.batch.Gathering}, whose work the callers do themselves, it has
 * threads of its own: what is done for all must not happen in the request scope of one of them.
 *
 * <p>No two of a group have the same key: the second goes into a later one, where it finds what the
 * first has left.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
final class Committers<I, O> implements AutoCloseable {

  private static final long STOP_WITHIN_MILLIS = 10_000;

  private final String name;
  private final int largest;
  private final Function<I, Object> keys;
  private final Function<List<I>, List<O>> work;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition something = lock.newCondition();
  private final Deque<Place<I, O>> arrived = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean isClosed;

  private record Place<I, O>(I item, CompletableFuture<O> answer) {}

  /**
   * @param name of its threads
   * @param largest group
   * @param keys what no two of a group may have in common
   * @param work answers a group, in its order; a failure is everybody's
   */
  Committers(String name, int largest, Function<I, Object> keys, Function<List<I>, List<O>> work) {
    this.name = name;
    this.largest = largest;
    this.keys = keys;
    this.work = work;
  }

  void start(int workers) {
    for (int i = 1; i <= workers; i++) {
      threads.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(this::serve));
    }
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws IllegalStateException when it is closed; nothing was done
   * @throws InterruptedException while waiting: what is asked may be done all the same
   */
  O ask(I item) throws InterruptedException {
    Place<I, O> place = new Place<>(item, new CompletableFuture<>());
    lock.lock();
    try {
      if (isClosed) {
        throw new IllegalStateException(name + " is closed: this process ends");
      }
      arrived.add(place);
      something.signal();
    } finally {
      lock.unlock();
    }
    return await(place.answer);
  }

  private static <O> O await(CompletableFuture<O> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  /** Serves what has arrived, and ends; who comes later is turned away. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      something.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      for (Thread thread : threads) {
        thread.join(STOP_WITHIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** How many have arrived and are not being served. */
  int waiting() {
    lock.lock();
    try {
      return arrived.size();
    } finally {
      lock.unlock();
    }
  }

  private void serve() {
    for (List<Place<I, O>> group = take(); !group.isEmpty(); group = take()) {
      serve(group);
    }
  }

  private void serve(List<Place<I, O>> group) {
    try {
      List<O> answers = work.apply(group.stream().map(Place::item).toList());
      for (int i = 0; i < group.size(); i++) {
        group.get(i).answer.complete(answers.get(i));
      }
    } catch (RuntimeException | Error e) {
      group.forEach(place -> place.answer.completeExceptionally(e));
    }
  }

  /** Blocks until there is somebody; empty when it is closed and all are served. */
  private List<Place<I, O>> take() {
    lock.lock();
    try {
      while (arrived.isEmpty() && !isClosed) {
        something.awaitUninterruptibly();
      }
      return group();
    } finally {
      lock.unlock();
    }
  }

  private List<Place<I, O>> group() {
    List<Place<I, O>> group = new ArrayList<>();
    List<Place<I, O>> passedOver = new ArrayList<>();
    Set<Object> taken = new HashSet<>();
    while (group.size() < largest && !arrived.isEmpty()) {
      Place<I, O> next = arrived.remove();
      (taken.add(keys.apply(next.item)) ? group : passedOver).add(next);
    }
    passedOver.reversed().forEach(arrived::addFirst);
    if (!arrived.isEmpty()) {
      something.signal();
    }
    return group;
  }
}
