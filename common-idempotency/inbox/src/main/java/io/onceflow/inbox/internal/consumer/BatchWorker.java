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

/**
 * A thread that settles what has arrived in batches: up to a bound, never waiting for more. The
 * {@link BatchLoop} deals with a batch that fails.
 *
 * @param <T> what arrives
 */
public class BatchWorker<T> implements AutoCloseable {

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  /** Between two attempts at a batch, while the database is away. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /**
   * A batch takes no further item from here on. Messages are copied several times, as text and as a
   * parameter of a statement: 32 MiB of them have ended a process with a heap of 256.
   */
  static final long LARGE = 4L << 20;

  private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();

  /** Those that wait, and those of the batch at hand. */
  private final AtomicInteger inHand = new AtomicInteger();

  private final int largestBatch;
  private final Work<T> work;
  private final BatchLoop<T> loop;
  private final Thread thread;
  private final LoopWatch watch;
  private volatile boolean running = true;
  private volatile boolean finishing;

  /** What is done with the items. */
  public interface Work<T> {

    /** Settles all in one transaction; nothing is kept when it throws. */
    void settle(List<T> batch) throws SQLException;

    /** Follows the commit of {@link #settle}; does not throw. */
    void settled(List<T> batch);

    /** How many bytes of a batch an item makes up; 0 where none is large. */
    default long sizeOf(T item) {
      return 0;
    }

    /** True for an item that need not be settled any more, and is dropped. */
    default boolean isLost(T item) {
      return false;
    }

    /** Deals with an item that cannot be settled. */
    void giveUp(T item, Throwable failure) throws SQLException;
  }

  public BatchWorker(String name, int largestBatch, Work<T> work) {
    this.largestBatch = largestBatch;
    this.work = work;
    this.loop = new BatchLoop<>(name, work, this::rest, () -> running);
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
   * away nothing is settled, and every connection delivers all of it again.
   */
  public void dropLost() {
    arrived.removeIf(Arrival::isDropped);
  }

  /** Whether all that was accepted is settled, or dropped. */
  public boolean isIdle() {
    return inHand.get() == 0;
  }

  /** How many items wait. */
  int size() {
    return arrived.size();
  }

  /** Settles what has arrived, then closes; waits at most a few seconds for that. */
  public void finish() {
    finish(STOP_WITHIN);
  }

  /** The same, but waits for what has arrived only so long; what is left then stays unsettled. */
  void finish(Duration atMost) {
    finishing = true;
    awaitEnd(atMost);
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

  /** Where an Error ends it, the watch stays until {@link #close}: liveness has to fail then. */
  private void run() {
    watch.begin();
    try {
      while (running && !(finishing && arrived.isEmpty())) {
        watch.turned();
        List<Arrival> batch = take();
        if (!batch.isEmpty()) {
          loop.settle(batch.stream().map(arrival -> arrival.item).toList());
          batch.forEach(Arrival::out);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Arrival> take() throws InterruptedException {
    List<Arrival> batch = new ArrayList<>();
    long size = 0;
    Arrival next = arrived.poll(200, TimeUnit.MILLISECONDS);
    while (next != null) {
      if (!next.isDropped()) {
        batch.add(next);
        size += work.sizeOf(next.item);
      }
      next = batch.size() < largestBatch && size < LARGE ? arrived.poll() : null;
    }
    return batch;
  }
}
