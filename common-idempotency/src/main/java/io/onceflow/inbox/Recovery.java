package io.onceflow.inbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Goes on with what was left: steps whose owner has died, and those that are due for their next
 * attempt. Every replica does this; {@code SKIP LOCKED} shares the work. While the database is away
 * it says so once and tries again at its next turn.
 *
 * <p>A thread of its own, since Quarkus' scheduler knows no intervals below a second.
 */
public final class Recovery implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Recovery.class);

  /** A turn is one short transaction; stopping does not wait for a database that hangs. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          turns -> Thread.ofPlatform().name("inbox-recovery").unstarted(turns));

  private final Participant<?> participant;
  private final long intervalMs;
  private boolean failing;

  /** Takes a turn whenever this long has passed since the last. */
  public Recovery(Participant<?> participant, Duration interval) {
    this.participant = participant;
    this.intervalMs = interval.toMillis();
  }

  /** Begins to take turns. */
  public void start() {
    thread.scheduleWithFixedDelay(this::recover, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
  }

  /** Ends after the turn at hand. */
  @Override
  public void close() {
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
    try {
      participant.recover();
      if (failing) {
        LOG.info("steps that are due are taken over again");
      }
      failing = false;
    } catch (SQLException | RuntimeException | Error e) {
      // An error as well: the executor would never run again after one, and nobody would know.
      if (!failing) {
        LOG.warnf("steps that are due wait, for they cannot be read: %s", e);
      }
      LOG.debug("steps that are due cannot be read", e);
      failing = true;
    }
  }
}
