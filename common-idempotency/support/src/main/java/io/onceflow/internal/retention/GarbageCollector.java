package io.onceflow.internal.retention;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has expired in one table, batch after batch, on every replica and without a leader:
 * {@code SKIP LOCKED} shares the work. A full batch is followed by the next after a rest in
 * proportion to its time, a turn that finds nothing by a longer pause.
 *
 * <p>Nothing runs until {@link #start()}, and nothing needs to: {@link #collect()} is one turn, for
 * applications that have a scheduler.
 */
public final class GarbageCollector implements AutoCloseable {

  private final GarbageCollectionConfig config;
  private final MeterRegistry registry;
  private final ExpiredRows expired;
  private final int batchSize;
  private final CollectionPauses pauses;
  private final CollectionProgress progress;
  private final PeriodicTask turns;
  private boolean isStarted;
  private volatile @Nullable GarbageMetrics metrics;

  GarbageCollector(
      String table,
      ExpiredRows expired,
      int batchSize,
      GarbageCollectionConfig config,
      MeterRegistry registry) {
    this.config = config;
    this.registry = registry;
    this.expired = expired;
    this.batchSize = batchSize;
    this.pauses = new CollectionPauses(config.firstPause(), config.longestPause());
    this.progress = new CollectionProgress(table, config, System::nanoTime);
    this.turns = new PeriodicTask("garbage-" + table, this::takeTurn);
  }

  /** Starts to take turns on its own thread. Does nothing when it runs already. */
  public synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      metrics();
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

  /**
   * The result of one turn.
   *
   * @param deleted rows
   * @param isMoreLeft whether its time ended before the rows did
   */
  record Turn(int deleted, boolean isMoreLeft) {

    static final Turn NOTHING = new Turn(0, false);
  }

  /** A turn that fails is followed by the pause of one that found nothing. */
  private void takeTurn() throws SQLException {
    Turn turn = Turn.NOTHING;
    try {
      turn = turn();
    } finally {
      turns.start(pauses.after(turn), config.longestPause());
    }
  }

  private Turn turn() throws SQLException {
    Turn turn = deleteFor(config.longestTurn().toNanos());
    progress.looked(expired.backlog());
    return turn;
  }

  private Turn deleteFor(long nanos) throws SQLException {
    long began = System.nanoTime();
    int deleted = 0;
    boolean isFull;
    do {
      long batchBegan = System.nanoTime();
      int batch = expired.delete(batchSize);
      long batchNanos = System.nanoTime() - batchBegan;
      metrics().deleted(batch, batchNanos);
      deleted += batch;
      isFull = batch == batchSize && rest(batchNanos);
    } while (isFull && System.nanoTime() - began < nanos && turns.isOpen());
    return new Turn(deleted, isFull);
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
