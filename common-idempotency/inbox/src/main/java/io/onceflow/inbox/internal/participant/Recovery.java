package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.parking.DeferredMessages;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.internal.watchdog.LoopWatch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * Takes up what is due: steps whose process has died, steps whose next attempt is due, and messages
 * whose handling failed. Every replica does this; {@code SKIP LOCKED} shares the work. While the
 * database is away it logs one line and tries again at its next turn.
 *
 * <p>It has its own thread, since Quarkus' scheduler has no intervals below a second.
 */
public final class Recovery implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Recovery.class);

  /** A turn is one short transaction; stopping does not wait for a database that hangs. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          turns -> Thread.ofPlatform().name("inbox-recovery").unstarted(turns));

  private final List<Turn> turns;
  private final long intervalMs;
  private final LoopWatch watch;
  private boolean failing;

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
    this.turns = List.of(turns);
    this.intervalMs = interval.toMillis();
    this.watch = LoopWatch.idle("inbox-recovery", interval);
  }

  /** Begins to take turns. */
  public void start() {
    watch.begin();
    thread.scheduleWithFixedDelay(this::recover, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
  }

  /** Ends after the turn at hand. */
  @Override
  public void close() {
    watch.close();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void recover() {
    boolean wasFailing = failing;
    // One that fails does not keep the others from their turn.
    failing = turns.stream().filter(turn -> !take(turn)).count() > 0;
    if (wasFailing && !failing) {
      LOG.info("what is due is taken up again");
    }
    watch.turned();
  }

  private boolean take(Turn turn) {
    try {
      turn.take();
      return true;
    } catch (SQLException | RuntimeException | Error e) {
      // An Error as well: the executor would silently never run the task again after one.
      if (!failing) {
        LOG.warnf("what is due waits, for it cannot be read: %s", e);
      }
      LOG.debug("what is due cannot be read", e);
      return false;
    }
  }
}
