package io.onceflow.inbox.internal.pause;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Looks every second whether the participant is paused, and has its intake follow. While the
 * database cannot be read it stays as it is.
 */
public final class PauseWatch implements AutoCloseable {

  /** What operators wait for; a read by primary key. */
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ParticipantPauses pauses;
  private final Intake intake;
  private final PeriodicTask task = new PeriodicTask("participant-pause", this::look);
  private volatile boolean isPaused;

  /** What takes the commands. */
  public interface Intake {

    /** Called again and again: to take commands from now on, if it does not. */
    void take();

    /** Called again and again: to finish what it has in hand, and take no more. */
    void rest();
  }

  public PauseWatch(ParticipantPauses pauses, Intake intake, MeterRegistry metrics) {
    this.pauses = pauses;
    this.intake = intake;
    Gauge.builder("onceflow.participant.paused", this, it -> it.isPaused ? 1 : 0)
        .description("1 while this replica takes no commands, since operators have paused it")
        .strongReference(true)
        .register(metrics);
  }

  /** Looks for the first time, so that one that is paused begins nothing, and again each second. */
  public void start() {
    task.runOnce();
    task.start(EVERY, EVERY);
  }

  /** Looks at once, as after a change by this replica. */
  public void lookNow() {
    if (task.isOpen()) {
      task.runOnce();
    }
  }

  /** Whether it was paused when it was last looked at. */
  public boolean isPaused() {
    return isPaused;
  }

  private synchronized void look() throws SQLException {
    isPaused = pauses.read().isPresent();
    if (isPaused) {
      intake.rest();
    } else {
      intake.take();
    }
  }

  @Override
  public void close() {
    task.close();
  }
}
