package io.onceflow.internal.batch;

import static java.util.Objects.requireNonNull;

import io.onceflow.internal.watchdog.LoopWatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes the items of many callers in groups. A worker thread takes the items that have arrived,
 * up to a limit, and never waits for more. So a single item is processed at once, and under load a
 * group is what arrives while the one before is processed.
 *
 * <p>It has a worker thread: a group must not be processed in the request scope of one caller, and
 * a caller must be able to give up while its group is being processed. One, since groups are larger
 * so and cost less for each item.
 *
 * <p>No two items of a group have the same key: the second goes into a later group, where it finds
 * the record of the first.
 *
 * <p>While the worker hangs, on a connection that has gone silent for example, another one replaces
 * it. A caller waits no longer than its deadline.
 *
 * @param <I> an item
 * @param <O> its result
 */
public final class GroupCommitter<I, O> implements AutoCloseable {

  private static final long STOP_WITHIN_MILLIS = 10_000;

  /** Hanging workers that may be replaced at once. */
  private static final int MOST_REPLACED = 4;

  /** Checks for hanging workers within {@link Limits#replaceAfter}. */
  private static final int LOOKS = 3;

  /** An idle worker wakes at this interval to turn its {@link LoopWatch}. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final String name;
  private final int largest;
  private final Limits limits;
  private final Function<I, Object> keys;
  private final Function<List<I>, List<O>> work;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition something = lock.newCondition();
  private final Deque<Place<I, O>> arrived = new ArrayDeque<>();
  private final Set<Thread> threads = new HashSet<>();
  private final Map<Thread, Long> busySince = new HashMap<>();
  private int started;
  private boolean isClosed;

  /**
   * Of an item that its caller waits for. The wait is no future's: that one tells by an exception
   * that a caller is to look for hanging workers, which under load each of them does every time.
   */
  private static final class Place<I, O> {

    private final I item;
    private final CountDownLatch isAnswered = new CountDownLatch(1);
    private @Nullable Supplier<O> answer;

    private Place(I item) {
      this.item = item;
    }

    private I item() {
      return item;
    }

    /** The first answer counts. */
    private void answer(Supplier<O> answer) {
      if (isAnswered.getCount() > 0) {
        this.answer = answer;
        isAnswered.countDown();
      }
    }

    /** Empty if there is no answer within this time. */
    private Optional<Supplier<O>> answerWithin(long nanos) throws InterruptedException {
      return isAnswered.await(nanos, TimeUnit.NANOSECONDS)
          ? Optional.of(requireNonNull(answer))
          : Optional.empty();
    }
  }

  /**
   * Timeouts.
   *
   * @param replaceAfter a worker whose group takes longer is replaced
   * @param deadline of a caller
   */
  public record Limits(Duration replaceAfter, Duration deadline) {}

  /** The deadline has passed before the item's group started; nothing was done. */
  public static final class NotBegun extends Exception {

    private static final long serialVersionUID = 1L;

    private NotBegun(Duration deadline) {
      super("it did not start within " + deadline);
    }
  }

  /** The deadline has passed while the group was being processed; it may still be done. */
  public static final class Unknown extends Exception {

    private static final long serialVersionUID = 1L;

    private Unknown(Duration deadline) {
      super("it was started, and did not end within " + deadline);
    }
  }

  /**
   * @param name of its threads
   * @param largest group
   * @param limits of waiting
   * @param keys the key of an item
   * @param work processes a group and returns the results in its order; a failure is that of all
   *     its items
   */
  public GroupCommitter(
      String name,
      int largest,
      Limits limits,
      Function<I, Object> keys,
      Function<List<I>, List<O>> work) {
    this.name = name;
    this.largest = largest;
    this.limits = limits;
    this.keys = keys;
    this.work = work;
  }

  /** Starts the worker. */
  public void start() {
    lock.lock();
    try {
      startThread();
    } finally {
      lock.unlock();
    }
  }

  private void startThread() {
    Thread thread =
        Thread.ofPlatform().name(name + "-" + ++started).daemon().unstarted(this::serve);
    threads.add(thread);
    thread.start();
  }

  /**
   * Submits an item, and waits for its result.
   *
   * @throws IllegalStateException when it is closed; nothing was done
   * @throws NotBegun when the deadline has passed and nothing was done
   * @throws Unknown when the deadline has passed and it may be done
   * @throws InterruptedException while waiting; the item may still be processed
   */
  public O submit(I item) throws InterruptedException, NotBegun, Unknown {
    Place<I, O> place = new Place<>(item);
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
    return await(place);
  }

  private O await(Place<I, O> place) throws InterruptedException, NotBegun, Unknown {
    long deadline = System.nanoTime() + limits.deadline.toNanos();
    while (true) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return giveUp(place);
      }
      Optional<Supplier<O>> answer =
          place.answerWithin(Math.min(left, limits.replaceAfter.toNanos() / LOOKS));
      if (answer.isPresent()) {
        return answer.get().get();
      }
      replaceHanging();
    }
  }

  private O giveUp(Place<I, O> place) throws InterruptedException, NotBegun, Unknown {
    lock.lock();
    try {
      if (arrived.remove(place)) {
        throw new NotBegun(limits.deadline);
      }
    } finally {
      lock.unlock();
    }
    return place.answerWithin(0).orElseThrow(() -> new Unknown(limits.deadline)).get();
  }

  /** Starts one more worker if all hang while items wait. */
  private void replaceHanging() {
    lock.lock();
    try {
      if (!arrived.isEmpty()
          && !isClosed
          && hanging() == threads.size()
          && threads.size() <= MOST_REPLACED) {
        startThread();
      }
    } finally {
      lock.unlock();
    }
  }

  private int hanging() {
    long now = System.nanoTime();
    return (int)
        busySince.values().stream()
            .filter(since -> now - since >= limits.replaceAfter.toNanos())
            .count();
  }

  /** Processes the items that have arrived, and ends; later ones are refused. */
  @Override
  public void close() {
    List<Thread> running;
    lock.lock();
    try {
      isClosed = true;
      something.signalAll();
      running = List.copyOf(threads);
    } finally {
      lock.unlock();
    }
    try {
      for (Thread thread : running) {
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

  /** The number of items that have arrived and are not being processed. */
  public int waiting() {
    lock.lock();
    try {
      return arrived.size();
    } finally {
      lock.unlock();
    }
  }

  private void serve() {
    try (LoopWatch watch = LoopWatch.begin(name, IDLE)) {
      for (List<Place<I, O>> group = take(watch); !group.isEmpty(); group = take(watch)) {
        serve(group);
      }
    } finally {
      end();
    }
  }

  private void end() {
    lock.lock();
    try {
      threads.remove(Thread.currentThread());
      busySince.remove(Thread.currentThread());
    } finally {
      lock.unlock();
    }
  }

  private void serve(List<Place<I, O>> group) {
    try {
      List<O> answers = work.apply(group.stream().map(Place::item).toList());
      for (int i = 0; i < group.size(); i++) {
        O answer = answers.get(i);
        group.get(i).answer(() -> answer);
      }
    } catch (RuntimeException | Error e) {
      group.forEach(place -> place.answer(() -> rethrow(e)));
    }
  }

  private static <T> T rethrow(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  /** Waits for a group; empty if this is closed and none is left, or there are too many workers. */
  private List<Place<I, O>> take(LoopWatch watch) {
    lock.lock();
    try {
      busySince.remove(Thread.currentThread());
      while (arrived.isEmpty() && !isClosed && !isTooMany()) {
        watch.turned();
        awaitSomething();
      }
      if (!isClosed && isTooMany()) {
        something.signal();
        return List.of();
      }
      watch.turned();
      busySince.put(Thread.currentThread(), System.nanoTime());
      return group();
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is another worker that does not hang. */
  private boolean isTooMany() {
    return threads.size() - hanging() > 1;
  }

  private void awaitSomething() {
    try {
      something.await(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // A worker ends when this is closed, after the items that have arrived.
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
