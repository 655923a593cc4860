package io.onceflow.inbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * A thread that settles what has arrived in batches: up to a bound, never waiting for more. While
 * the database is away it holds its batch and tries again; a batch that one item spoils is settled
 * one by one, and the culprit is given up on. Whatever an item throws, the thread goes on.
 *
 * @param <T> what arrives
 */
final class BatchWorker<T> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(BatchWorker.class);

  /** A lost race settles itself at once; a batch that loses this often in a row is split. */
  private static final int RACES_BEFORE_SPLITTING = 5;

  /** An item that loses this often all by itself is not in a race. */
  private static final int RACES_BEFORE_GIVING_UP = 100;

  private static final Duration AFTER_A_RACE = Duration.ofMillis(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final BlockingQueue<T> arrived = new LinkedBlockingQueue<>();
  private final int largestBatch;
  private final Work<T> work;
  private final Thread thread;
  private volatile boolean running = true;
  private volatile boolean finishing;

  /** What is done with the items. */
  interface Work<T> {

    /** Settles all in one transaction; nothing is kept when it throws. */
    void settle(List<T> batch) throws SQLException;

    /** Follows the commit of {@link #settle}; does not throw. */
    void settled(List<T> batch);

    /** Deals with an item that cannot be settled. */
    void giveUp(T item, Throwable failure) throws SQLException;
  }

  BatchWorker(String name, int largestBatch, Work<T> work) {
    this.largestBatch = largestBatch;
    this.work = work;
    this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void accept(T item) {
    arrived.add(item);
  }

  /** Settles what has arrived, then closes; waits at most a few seconds for that. */
  void finish() {
    finishing = true;
    awaitEnd();
    close();
  }

  /** Finishes the batch at hand and ends; waits at most a few seconds for that. */
  @Override
  public void close() {
    running = false;
    awaitEnd();
    thread.interrupt();
  }

  private void awaitEnd() {
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(STOP_WITHIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (running && !(finishing && arrived.isEmpty())) {
        List<T> batch = take();
        if (!batch.isEmpty()) {
          settle(batch);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<T> take() throws InterruptedException {
    List<T> batch = new ArrayList<>();
    T first = arrived.poll(200, TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      arrived.drainTo(batch, largestBatch - 1);
    }
    return batch;
  }

  private void settle(List<T> batch) throws InterruptedException {
    for (int failures = 0, races = 0; running; ) {
      try {
        work.settle(batch);
        work.settled(batch);
        noteRecovery(failures);
        return;
      } catch (SQLException | RuntimeException | Error failure) {
        Trouble trouble = Trouble.of(failure);
        if (trouble == Trouble.DATABASE_AWAY) {
          pause(++failures, failure);
        } else if (trouble == Trouble.RACE && ++races < racesBearable(batch)) {
          Thread.sleep(AFTER_A_RACE);
        } else {
          settleOneByOne(batch, failure);
          return;
        }
      }
    }
  }

  private static int racesBearable(List<?> batch) {
    return batch.size() > 1 ? RACES_BEFORE_SPLITTING : RACES_BEFORE_GIVING_UP;
  }

  private void settleOneByOne(List<T> batch, Throwable failure) throws InterruptedException {
    if (batch.size() == 1) {
      giveUp(batch.getFirst(), failure);
      return;
    }
    LOG.debugf(failure, "%s settles a batch of %d one by one", thread.getName(), batch.size());
    for (T item : batch) {
      settle(List.of(item));
    }
  }

  private void giveUp(T item, Throwable failure) throws InterruptedException {
    for (int failures = 0; running; ) {
      try {
        work.giveUp(item, failure);
        noteRecovery(failures);
        return;
      } catch (SQLException | RuntimeException | Error e) {
        pause(++failures, e);
      }
    }
  }

  private void pause(int failures, Throwable failure) throws InterruptedException {
    if (failures == 1) {
      LOG.warnf(
          "%s pauses, the database does not take its work: %s; it resumes by itself",
          thread.getName(), failure.getMessage());
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
    Thread.sleep(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
  }

  private void noteRecovery(int failures) {
    if (failures > 0) {
      LOG.infof("%s resumes after %d attempts", thread.getName(), failures);
    }
  }
}
