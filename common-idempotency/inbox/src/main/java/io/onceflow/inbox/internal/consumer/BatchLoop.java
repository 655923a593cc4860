package io.onceflow.inbox.internal.consumer;

import io.onceflow.internal.database.FailureKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Settles batches, whatever fails. While the database is unavailable it holds its batch and
 * retries; a batch that one item spoils is settled one by one, and the culprit times out. Whatever
 * an item throws, the loop continues.
 *
 * @param <T> what is settled
 */
public final class BatchLoop<T> {

  private static final Logger LOG = Logger.getLogger(BatchLoop.class);

  /**
   * A lost race settles itself at once; a batch that loses this often in a row is split, and an
   * item is left to be settled apart.
   */
  private static final int RACES_BEFORE_SPLITTING = 5;

  /** An item that loses this often all by itself is not in a race. */
  private static final int RACES_BEFORE_GIVING_UP = 100;

  /**
   * What takes this long is no race: a statement that always reaches its timeout, as on a row that
   * an operator has locked. A process that hangs loses its locks sooner. Timed out, it is retried
   * from where it is parked.
   */
  private static final Duration LONGEST_RACE = Duration.ofSeconds(90);

  /** After the timeout of one statement; those that are not to blame need not wait. */
  private static final Duration LONGEST_RACE_OF_OTHERS = Duration.ofSeconds(5);

  /** Statements end sooner; what takes longer is a process that was suspended meanwhile. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

  private static final Duration AFTER_A_RACE = Duration.ofMillis(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String name;
  private final BatchWorker.Work<T> work;
  private final Rest rest;
  private final BooleanSupplier running;
  private final LongSupplier nanoTime;

  /** Takes a pause. */
  @FunctionalInterface
  public interface Rest {

    /** Returns when it has lasted this long. */
    void take(Duration pause) throws InterruptedException;
  }

  /**
   * @param name for logs
   * @param running false when the batch at hand is to be left as it is
   */
  public BatchLoop(String name, BatchWorker.Work<T> work, Rest rest, BooleanSupplier running) {
    this(name, work, rest, running, System::nanoTime);
  }

  /**
   * @param nanoTime as {@link System#nanoTime()}
   */
  public BatchLoop(
      String name,
      BatchWorker.Work<T> work,
      Rest rest,
      BooleanSupplier running,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.name = name;
    this.work = work;
    this.rest = rest;
    this.running = running;
  }

  /** Settles a batch, however often that takes; returns early only when told to stop. */
  public void settle(List<T> batch) throws InterruptedException {
    settle(batch, new ArrayList<>(), 0);
  }

  /**
   * Settles a batch, but for items whose rows other transactions keep locked: those behind them
   * need not wait for that.
   *
   * @param most such items at most; of more it bears the races itself
   * @return the items that are left, to be settled apart by {@link #settle(List)}
   */
  public List<T> settleButLocked(List<T> batch, int most) throws InterruptedException {
    List<T> left = new ArrayList<>();
    settle(batch, left, most);
    return left;
  }

  private void settle(List<T> batch, List<T> left, int most) throws InterruptedException {
    boolean isAlone = batch.size() == 1 && left.size() >= most;
    long raced = 0;
    for (int failures = 0, races = 0; running.getAsBoolean(); ) {
      long begun = nanoTime.getAsLong();
      try {
        work.settle(batch);
        work.settled(batch);
        noteRecovery(failures);
        return;
      } catch (SQLException | RuntimeException | Error failure) {
        FailureKind kind = FailureKind.of(failure);
        if (kind == FailureKind.DATABASE_AWAY) {
          pause(++failures, failure);
          continue;
        }
        raced += Math.min(nanoTime.getAsLong() - begun, LONGEST_TURN.toNanos());
        boolean isRace = kind == FailureKind.RACE;
        if (isRace && isBearable(isAlone, ++races, raced)) {
          rest.take(AFTER_A_RACE);
        } else if (isRace && !isAlone && batch.size() == 1) {
          left.addAll(batch);
          return;
        } else {
          settleOneByOne(batch, failure, left, most);
          return;
        }
      }
    }
  }

  private static boolean isBearable(boolean isAlone, int races, long nanos) {
    return isAlone
        ? races < RACES_BEFORE_GIVING_UP && nanos < LONGEST_RACE.toNanos()
        : races < RACES_BEFORE_SPLITTING && nanos < LONGEST_RACE_OF_OTHERS.toNanos();
  }

  private void settleOneByOne(List<T> batch, Throwable failure, List<T> left, int most)
      throws InterruptedException {
    if (batch.size() == 1) {
      giveUp(batch.getFirst(), failure);
      return;
    }
    LOG.debugf(failure, "%s settles a batch of %s in parts", name, batch.size());
    for (List<T> part : work.parts(batch)) {
      settle(part, left, most);
    }
  }

  private void giveUp(T item, Throwable failure) throws InterruptedException {
    for (int failures = 0; running.getAsBoolean(); ) {
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
          "%s pauses, the database is unavailable: %s; it resumes automatically",
          name, failure.getMessage());
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
    rest.take(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
  }

  private void noteRecovery(int failures) {
    if (failures > 0) {
      LOG.infof("%s resumes after %s attempts", name, failures);
    }
  }
}
