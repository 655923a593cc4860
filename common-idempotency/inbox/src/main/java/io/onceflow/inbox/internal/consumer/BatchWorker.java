package io.onceflow.inbox.internal.consumer;

import io.onceflow.internal.watchdog.LoopWatch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A thread that settles what has arrived in batches: up to a bound, never waiting for more. The
 * {@link BatchLoop} deals with a batch that fails.
 *
 * @param <T> what arrives
 */
public class BatchWorker<T> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(BatchWorker.class);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  /** A few batches; what is left goes to another replica as soon as the consumer closes. */
  private static final Duration FINISH_WITHIN = Duration.ofSeconds(2);

  /** Between two attempts at a batch, while the database is unavailable. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final Duration HELD_UP = Duration.ofSeconds(1);

  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

  /**
   * A batch takes no further item from here on. Messages are copied several times, as text and as a
   * parameter of a statement: 32 MiB of them have ended a process with a heap of 256.
   */
  static final long LARGE = 4L << 20;

  private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();

  /** Those that wait, and those of the batch at hand. */
  private final AtomicInteger inHand = new AtomicInteger();

  private final AtomicLong batches = new AtomicLong();

  private final int largestBatch;
  private final Work<T> work;
  private final BatchLoop<T> loop;
  private final LockedItems<T> apart;
  private final Thread thread;
  private final LoopWatch watch;
  private volatile boolean running = true;
  private volatile boolean finishing;

  /** When the batch at hand was started, by {@link System#nanoTime()}; 0 while there is none. */
  private volatile long begunAt;

  /** What is done with the items. */
  public interface Work<T> {

    /**
     * Settles all in one transaction; nothing is kept when it throws. Also called by other threads,
     * for items that wait apart.
     */
    void settle(List<T> batch) throws SQLException;

    /** Follows the commit of {@link #settle}; does not throw. */
    void settled(List<T> batch);

    /** What a batch that failed is settled in, one after the other; smaller than it. */
    default List<List<T>> parts(List<T> batch) {
      return batch.stream().map(List::of).toList();
    }

    /** How many bytes of a batch an item makes up; 0 where none is large. */
    default long sizeOf(T item) {
      return 0;
    }

    /** True for an item that need not be settled any more, and is dropped. */
    default boolean isLost(T item) {
      return false;
    }

    /**
     * Whose rows an item changes, such as a saga's: while one of them waits apart for a locked row,
     * those that follow wait there, too, and hold up no batch. Null where that is not known.
     */
    default @Nullable Object ownerOf(T item) {
      return null;
    }

    /** Deals with an item that cannot be settled. */
    void giveUp(T item, Throwable failure) throws SQLException;
  }

  public BatchWorker(String name, int largestBatch, Work<T> work) {
    this.largestBatch = largestBatch;
    this.work = work;
    this.loop = new BatchLoop<>(name, work, this::rest, () -> running);
    this.apart = new LockedItems<>(name, work, () -> running);
    this.watch = LoopWatch.idle(name, LONGEST_PAUSE);
    this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /**
   * Takes an item over without blocking. How many may wait is bounded by the caller, such as by the
   * prefetch of a transport.
   */
  public void accept(T item) {
    inHand.incrementAndGet();
    arrived.add(new Arrival(item));
  }

  /** An item in hand. It may be dropped while it is being taken, and is counted out once. */
  private final class Arrival {

    private final T item;
    private final AtomicBoolean isOut = new AtomicBoolean();

    Arrival(T item) {
      this.item = item;
    }

    /** Settled, or dropped. */
    void out() {
      if (isOut.compareAndSet(false, true)) {
        inHand.decrementAndGet();
      }
    }

    boolean isDropped() {
      boolean isLost = work.isLost(item);
      if (isLost) {
        out();
      }
      return isLost;
    }
  }

  /**
   * Drops what waits and is lost. To be called when a connection has ended: while the database is
   * unavailable nothing is settled, and every connection delivers all of it again.
   */
  public void dropLost() {
    arrived.removeIf(Arrival::isDropped);
  }

  /** Whether all that was accepted is settled, or dropped. */
  public boolean isIdle() {
    return inHand.get() == 0;
  }

  /**
   * Whether the batch at hand takes longer than one does whose rows no other transaction keeps
   * locked. What arrives waits for it.
   */
  public boolean isHeldUp() {
    long begun = begunAt;
    return running && begun != 0 && System.nanoTime() - begun > HELD_UP.toNanos();
  }

  /** How many batches have been taken so far. */
  public long batches() {
    return batches.get();
  }

  /** How many items wait. */
  int size() {
    return arrived.size();
  }

  /**
   * Settles what has arrived, as far as that goes in a moment, and closes. No more must arrive by
   * then.
   */
  public void finish() {
    finishing = true;
    awaitEnd(FINISH_WITHIN);
    close();
  }

  /** Finishes the batch at hand and ends; waits at most a few seconds for that. */
  @Override
  public void close() {
    running = false;
    awaitEnd(STOP_WITHIN);
    thread.interrupt();
    watch.close();
  }

  private void awaitEnd(Duration atMost) {
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(atMost);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void rest(Duration pause) throws InterruptedException {
    watch.turned();
    Thread.sleep(pause);
  }

  /** A turn that fails, as by an Error for want of memory, leaves its batch to the next one. */
  private void run() {
    watch.begin();
    List<Arrival> batch = new ArrayList<>(largestBatch);
    boolean isFailing = false;
    while (running && !(finishing && inHand.get() == 0)) {
      try {
        if (isFailing) {
          rest(AFTER_A_FAILURE);
        }
        isFailing = true;
        watch.turned();
        turn(batch);
        isFailing = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) {
        LOG.warnf("%s could not settle received messages: %s; retrying", thread.getName(), e);
      }
    }
  }

  private void turn(List<Arrival> batch) throws InterruptedException {
    if (batch.isEmpty()) {
      take(batch);
    }
    if (!batch.isEmpty()) {
      batches.incrementAndGet();
      begunAt = System.nanoTime();
      List<T> items = batch.stream().map(arrival -> arrival.item).toList();
      List<T> locked = loop.settleButLocked(items, apart.room());
      begunAt = 0;
      for (Arrival arrival : batch) {
        if (locked.stream().anyMatch(item -> item == arrival.item)) {
          setApart(arrival);
        } else {
          arrival.out();
        }
      }
      batch.clear();
    }
  }

  /** It stays in hand. */
  private void setApart(Arrival arrival) {
    apart.add(arrival.item, arrival::out, () -> arrived.add(arrival));
  }

  /** An item is in the batch before it is asked for anything, so that no failure loses it. */
  private void take(List<Arrival> batch) throws InterruptedException {
    long size = 0;
    Arrival next = arrived.poll(200, TimeUnit.MILLISECONDS);
    while (next != null) {
      batch.add(next);
      if (next.isDropped()) {
        batch.removeLast();
      } else if (apart.isFor(next.item)) {
        setApart(batch.removeLast());
      } else {
        size += work.sizeOf(next.item);
      }
      next = batch.size() < largestBatch && size < LARGE ? arrived.poll() : null;
    }
  }
}
