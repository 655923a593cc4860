package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.parking.DeferredMessages;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Takes up what is due: steps whose process has died, steps whose next attempt is due, and messages
 * whose handling failed. Every replica does this; {@code SKIP LOCKED} shares the work. While the
 * database is away it logs one line and tries again at its next turn.
 *
 * <p>It has its own thread, since Quarkus' scheduler has no intervals below a second.
 */
public final class Recovery implements AutoCloseable {

  private final PeriodicTask task = new PeriodicTask("inbox-recovery", this::takeTurns);
  private final Duration interval;
  private final List<Turn> turns;

  /** Something that is done whenever it may be due. */
  @FunctionalInterface
  private interface Turn {
    void take() throws SQLException;
  }

  /** Takes a turn whenever this long has passed since the last. */
  public Recovery(Participant<?> participant, FailedMessages failed, Duration interval) {
    this(interval, participant::recover, failed::tryAgain);
  }

  /**
   * As {@link #Recovery(Participant, FailedMessages, Duration)}, of a participant that operators
   * may pause: then nothing is taken up.
   *
   * @param pending counts the steps that are pending
   */
  public Recovery(
      Participant<?> participant,
      FailedMessages failed,
      Duration interval,
      BooleanSupplier isPaused,
      PendingGauge pending) {
    this(
        interval,
        () -> {
          if (!isPaused.getAsBoolean()) {
            participant.recover();
          }
        },
        () -> {
          if (isPaused.getAsBoolean()) {
            failed.rest();
          } else {
            failed.tryAgain();
          }
        },
        pending::look);
  }

  /** As {@link #Recovery(Participant, FailedMessages, Duration)}, where no handler calls out. */
  public Recovery(FailedMessages failed, Duration interval) {
    this(interval, failed::tryAgain);
  }

  /** As {@link #Recovery(FailedMessages, Duration)}, where messages are deferred as well. */
  public Recovery(FailedMessages failed, DeferredMessages deferred, Duration interval) {
    this(interval, failed::tryAgain, deferred::take);
  }

  private Recovery(Duration interval, Turn... turns) {
    this.interval = interval;
    this.turns = List.of(turns);
  }

  /** Begins to take turns. */
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
    IllegalStateException failure = null;
    for (Turn turn : turns) {
      try {
        turn.take();
      } catch (SQLException | RuntimeException | Error e) {
        IllegalStateException waits =
            new IllegalStateException("what is due waits, for it cannot be read: " + e, e);
        if (failure == null) {
          failure = waits;
        } else {
          failure.addSuppressed(waits);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
