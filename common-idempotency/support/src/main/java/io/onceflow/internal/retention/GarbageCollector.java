package io.onceflow.internal.retention;

import io.onceflow.internal.watchdog.LoopWatch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has expired in one table, batch after batch, on every replica and without a leader:
 * {@code SKIP LOCKED} shares the work. A full batch is followed by the next at once, a turn that
 * finds nothing by a longer pause. Where the table is partitioned, whole days are dropped instead,
 * and rows only where a day cannot go because of its neighbours.
 *
 * <p>Nothing runs until {@link #start()}, and nothing needs to: {@link #collect()} is one turn, for
 * applications that have a scheduler.
 */
public final class GarbageCollector implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(GarbageCollector.class);

  /** A batch takes milliseconds; stopping does not wait for a database that hangs. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private final CollectedTable table;
  private final ExpiredRows expired;
  private final PartitionUpkeep upkeep;
  private final GarbageCollectionConfig config;
  private final CollectionProgress progress;
  private final Supplier<GarbageMetrics> makeMetrics;
  private final Runnable whenStarted;
  private final Runnable whenStopped;
  private volatile CountDownLatch stopped = new CountDownLatch(0);
  private @Nullable Thread thread;
  private volatile @Nullable GarbageMetrics metrics;
  private boolean isFailing;

  GarbageCollector(
      CollectedTable table,
      DataSource database,
      GarbageCollectionConfig config,
      CollectionProgress progress,
      Supplier<GarbageMetrics> makeMetrics,
      Runnable whenStarted,
      Runnable whenStopped) {
    this.table = table;
    this.expired = new ExpiredRows(table, database);
    this.upkeep =
        new PartitionUpkeep(
            table, new DayPartitions(table, database, config.partitions()), System::nanoTime);
    this.config = config;
    this.progress = progress;
    this.makeMetrics = makeMetrics;
    this.whenStarted = whenStarted;
    this.whenStopped = whenStopped;
  }

  /**
   * Makes the partitions that are missing, where there are any, and begins to take turns on a
   * thread of its own. Does nothing when it runs already.
   */
  public synchronized void start() {
    if (thread != null) {
      return;
    }
    metrics();
    upkeep.look();
    stopped = new CountDownLatch(1);
    thread = Thread.ofPlatform().name("garbage-" + table.name()).daemon().start(this::takeTurns);
    whenStarted.run();
  }

  /** Ends after the batch at hand; waits for it a moment. */
  @Override
  public synchronized void close() {
    Thread running = thread;
    if (running == null) {
      return;
    }
    thread = null;
    stopped.countDown();
    whenStopped.run();
    try {
      if (!running.join(STOP_WITHIN)) {
        running.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Takes one turn.
   *
   * @return how many rows were deleted, whether or not more are left
   */
  public int collect() throws SQLException {
    return turn().deleted();
  }

  private void takeTurns() {
    CollectionPauses pauses = new CollectionPauses(config.firstPause(), config.longestPause());
    Duration pause = config.firstPause();
    try (LoopWatch watch = LoopWatch.begin("garbage-" + table.name(), config.longestPause())) {
      while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = takeTurn(pauses);
        watch.turned();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration takeTurn(CollectionPauses pauses) {
    try {
      CollectionResult result = turn();
      if (isFailing) {
        LOG.infof("expired rows of %s are deleted again", table.name());
      }
      isFailing = false;
      return pauses.after(result);
    } catch (SQLException | RuntimeException | Error e) {
      // An error as well: a thread that has died deletes nothing and says nothing.
      if (!isFailing) {
        LOG.warnf(
            "expired rows of %s cannot be deleted: %s; tried again", table.name(), e.getMessage());
      }
      LOG.debugf(e, "expired rows of %s cannot be deleted", table.name());
      isFailing = true;
      return pauses.afterFailure();
    }
  }

  private CollectionResult turn() throws SQLException {
    metrics().dropped(upkeep.lookIfDue());
    Duration grace = upkeep.grace();
    CollectionResult result = deleteFor(config.longestTurn().toNanos(), grace);
    progress.looked(expired.backlog(grace), upkeep.daysAhead());
    return result;
  }

  private CollectionResult deleteFor(long nanos, Duration grace) throws SQLException {
    CountDownLatch ends = stopped;
    boolean isEverStopped = ends.getCount() > 0;
    long began = System.nanoTime();
    int deleted = 0;
    boolean isFull;
    do {
      int batch = deleteBatch(grace);
      deleted += batch;
      isFull = batch == config.batchSize();
    } while (isFull
        && System.nanoTime() - began < nanos
        && !(isEverStopped && ends.getCount() == 0));
    return new CollectionResult(deleted, isFull);
  }

  private int deleteBatch(Duration grace) throws SQLException {
    long began = System.nanoTime();
    int deleted = expired.delete(grace, config.batchSize());
    metrics().deleted(deleted, System.nanoTime() - began);
    return deleted;
  }

  /** A table that this application may not have is not reported. */
  private GarbageMetrics metrics() {
    GarbageMetrics made = metrics;
    if (made == null) {
      made = makeMetrics.get();
      metrics = made;
    }
    return made;
  }
}
