package io.onceflow.inbox.internal.participant;

import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Takes up what is due: steps whose process has died, steps whose next attempt is due, and messages
 * whose handling failed. Every replica does this; {@code SKIP LOCKED} shares the work. While the
 * database is unavailable it logs one line and retries at its next turn. While no message comes and
 * nothing is due it looks less often.
 *
 * <p>It has its own thread, since Quarkus' scheduler has no intervals below a second.
 */
public final class Recovery implements AutoCloseable {

  private final PeriodicTask task = new PeriodicTask("inbox-recovery", this::takeTurns);
  private final Duration interval;
  private final IdlePace pace;
  private final LongSupplier batches;
  private final List<Turn> turns;
  private long batchesSeen;

  /** Something that is done whenever it may be due. */
  @FunctionalInterface
  public interface Turn {

    /** Returns whether anything was due. */
    boolean take() throws SQLException;
  }

  /**
   * @param interval from one turn to the next
   * @param batches counts the batches of messages that have come: what they started may soon be due
   * @param turns what is done
   */
  public Recovery(Duration interval, LongSupplier batches, Turn... turns) {
    this.interval = interval;
    this.pace = new IdlePace(interval);
    this.batches = batches;
    this.turns = List.of(turns);
  }

  /** Steps that are due and find no room count as well: they are to be taken once there is some. */
  public static Turn of(Participant participant) {
    return () -> participant.recover() > 0 || participant.hasDueSteps();
  }

  /** Starts to take turns. */
  public void start() {
    task.start(interval, interval);
  }

  /** Ends after the turn at hand. */
  @Override
  public void close() {
    task.close();
  }

  /** One that fails does not keep the others from their turn. */
  private void takeTurns() {
    long now = batches.getAsLong();
    if (now != batchesSeen) {
      batchesSeen = now;
      pace.busy();
    }
    if (pace.isDue()) {
      takeAll();
    }
  }

  private void takeAll() {
    IllegalStateException failure = null;
    for (Turn turn : turns) {
      try {
        if (turn.take()) {
          pace.busy();
        }
      } catch (SQLException | RuntimeException | Error e) {
        IllegalStateException waits =
            new IllegalStateException("due steps cannot be read: " + e, e);
        if (failure == null) {
          failure = waits;
        } else {
          failure.addSuppressed(waits);
        }
      }
    }
    if (failure != null) {
      pace.busy();
      throw failure;
    }
  }
}
