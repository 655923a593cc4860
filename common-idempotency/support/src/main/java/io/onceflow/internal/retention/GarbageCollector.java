package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has expired in one table, batch after batch, on every replica and without a leader:
 * {@code SKIP LOCKED} shares the work. A full batch is followed by the next after a rest in
 * proportion to its time, a turn that finds nothing by a longer pause. Where the table is
 * partitioned, whole days are dropped instead, and rows only where a day cannot go because of its
 * neighbours.
 *
 * <p>Nothing runs until {@link #start()}, and nothing needs to: {@link #collect()} is one turn, for
 * applications that have a scheduler.
 */
public final class GarbageCollector implements AutoCloseable {

  private final GarbageCollectionConfig config;
  private final MeterRegistry registry;
  private final ExpiredRows expired;
  private final Optional<PartitionUpkeep> upkeep;
  private final int batchSize;
  private final CollectionPauses pauses;
  private final CollectionProgress progress;
  private final PeriodicTask turns;
  private boolean isStarted;
  private volatile @Nullable GarbageMetrics metrics;

  GarbageCollector(
      String table,
      ExpiredRows expired,
      Optional<PartitionUpkeep> upkeep,
      int batchSize,
      GarbageCollectionConfig config,
      MeterRegistry registry) {
    this.config = config;
    this.registry = registry;
    this.expired = expired;
    this.upkeep = upkeep;
    this.batchSize = batchSize;
    this.pauses = new CollectionPauses(config.firstPause(), config.longestPause());
    this.progress = new CollectionProgress(table, config, System::nanoTime);
    this.turns = new PeriodicTask("garbage-" + table, this::takeTurn);
  }

  /**
   * Makes the partitions that are missing, where there are any, and begins to take turns on its own
   * thread. Does nothing when it runs already.
   */
  public synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      metrics();
      upkeep.ifPresent(PartitionUpkeep::look);
      turns.start(config.firstPause(), config.longestPause());
    }
  }

  /** Ends after the batch at hand; waits for it a moment. */
  @Override
  public synchronized void close() {
    isStarted = false;
    turns.close();
  }

  /** Empty unless it runs: an application may lack a table that it does not use. */
  synchronized @Nullable CollectionProgress progress() {
    return isStarted ? progress : null;
  }

  /**
   * Takes one turn.
   *
   * @return how many rows were deleted, whether or not more are left
   */
  public int collect() throws SQLException {
    return turn().deleted();
  }

  /** A turn that fails is followed by the pause of one that found nothing. */
  private void takeTurn() throws SQLException {
    CollectionResult result = CollectionResult.NOTHING;
    try {
      result = turn();
    } finally {
      turns.start(pauses.after(result), config.longestPause());
    }
  }

  private CollectionResult turn() throws SQLException {
    metrics().dropped(upkeep.map(PartitionUpkeep::lookIfDue).orElse(0));
    Duration grace = upkeep.map(PartitionUpkeep::grace).orElse(Duration.ZERO);
    CollectionResult result = deleteFor(config.longestTurn().toNanos(), grace);
    OptionalLong daysAhead = upkeep.map(PartitionUpkeep::daysAhead).orElse(OptionalLong.empty());
    progress.looked(expired.backlog(grace), daysAhead);
    return result;
  }

  private CollectionResult deleteFor(long nanos, Duration grace) throws SQLException {
    long began = System.nanoTime();
    int deleted = 0;
    boolean isFull;
    do {
      long batchBegan = System.nanoTime();
      int batch = deleteBatch(grace);
      deleted += batch;
      isFull = batch == batchSize && rest(System.nanoTime() - batchBegan);
    } while (isFull && System.nanoTime() - began < nanos && turns.isOpen());
    return new CollectionResult(deleted, isFull);
  }

  /** Leaves the database to others after a full batch; false when it is to stop. */
  private boolean rest(long batchNanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.round(batchNanos * config.restBetweenBatches()));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private int deleteBatch(Duration grace) throws SQLException {
    long began = System.nanoTime();
    int deleted = expired.delete(grace, batchSize);
    metrics().deleted(deleted, System.nanoTime() - began);
    return deleted;
  }

  /** Made at the first use, so that a table that the application does not use is not reported. */
  private GarbageMetrics metrics() {
    GarbageMetrics made = metrics;
    if (made == null) {
      made = new GarbageMetrics(registry, progress);
      metrics = made;
    }
    return made;
  }
}
