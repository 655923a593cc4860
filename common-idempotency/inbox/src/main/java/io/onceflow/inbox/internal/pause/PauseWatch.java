package io.onceflow.inbox.internal.pause;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Looks every two seconds whether the participant is paused, and has its intake follow. While the
 * database cannot be read it stays as it is. In an application without a participant it does
 * nothing.
 */
@Singleton
public class PauseWatch {

  private static final Logger LOG = Logger.getLogger(PauseWatch.class);

  /** What operators wait for; a read by primary key. */
  private static final Duration EVERY = Duration.ofSeconds(2);

  private final ParticipantPauses pauses;
  private final MeterRegistry metrics;
  private final PeriodicTask task = new PeriodicTask("participant-pause", this::look);
  private @Nullable Intake intake;
  private volatile boolean isPaused;

  /** What takes the commands. */
  public interface Intake {

    /** Called again and again: to take commands from now on, if it does not. */
    void take();

    /** Called again and again: to finish what it has in hand, and take no more. */
    void rest();
  }

  public PauseWatch(ParticipantPauses pauses, MeterRegistry metrics) {
    this.pauses = pauses;
    this.metrics = metrics;
  }

  /** Looks for the first time, so that an intake that is paused begins nothing. */
  public void prepare(Intake followed) {
    synchronized (this) {
      intake = followed;
    }
    Gauge.builder("onceflow.participant.paused", this, it -> it.isPaused ? 1 : 0)
        .description("1 while this replica takes no commands, since operators have paused it")
        .register(metrics);
    task.runOnce();
  }

  /** Looks again every two seconds. */
  public void start() {
    task.start(EVERY, EVERY);
  }

  /** Looks at once, as after a change by this replica. */
  public void lookNow() {
    if (task.isOpen()) {
      task.runOnce();
    }
  }

  /** Whether there is a participant that can be paused. */
  public synchronized boolean isFollowed() {
    return intake != null;
  }

  /** Whether it was paused when it was last looked at. */
  public boolean isPaused() {
    return isPaused;
  }

  private synchronized void look() throws SQLException {
    if (intake == null || !task.isOpen()) {
      return;
    }
    boolean wasPaused = isPaused;
    isPaused = pauses.read().isPresent();
    if (isPaused) {
      intake.rest();
    } else {
      intake.take();
    }
    if (isPaused != wasPaused) {
      LOG.info(isPaused ? "paused: takes no more commands" : "resumed: takes commands again");
    }
  }

  /** Ends; the intake stays as it is. */
  public void stop() {
    task.close();
  }
}
