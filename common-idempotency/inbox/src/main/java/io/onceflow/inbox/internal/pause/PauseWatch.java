package io.onceflow.inbox.internal.pause;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.database.DatabaseWatch;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Learns every two seconds, from {@link DatabaseWatch}, whether the participant is paused, and has
 * its consumer follow. While the database cannot be read it stays as it is. In an application
 * without a participant it does nothing.
 */
@Singleton
public class PauseWatch {

  private static final Logger LOG = Logger.getLogger(PauseWatch.class);

  private final ParticipantPauses pauses;
  private final MeterRegistry metrics;
  private final DatabaseWatch database;
  private @Nullable Intake intake;
  private volatile boolean isPaused;
  private final AtomicBoolean isLooking = new AtomicBoolean();
  private volatile boolean isFailing;
  private boolean isStopped;

  /** What takes the commands. */
  public interface Intake {

    /** Called until it succeeds: to take commands from now on, if it does not. */
    void take();

    /** Called again and again: to finish what it has in hand, and take no more. */
    void rest();
  }

  public PauseWatch(ParticipantPauses pauses, MeterRegistry metrics, DatabaseWatch database) {
    this.pauses = pauses;
    this.metrics = metrics;
    this.database = database;
  }

  /** Looks for the first time, so that an consumer that is paused starts nothing. */
  public void prepare(Intake followed) {
    synchronized (this) {
      intake = followed;
    }
    Gauge.builder("onceflow.participant.paused", this, it -> it.isPaused ? 1 : 0)
        .description("1 while this replica takes no commands, since operators have paused it")
        .register(metrics);
    lookNow();
  }

  /** From now on follows what the database answers every two seconds. */
  public void start() {
    database.alsoAsk(question());
  }

  DatabaseWatch.Question question() {
    return pauses.whetherPaused(this::answered);
  }

  /** The consumer may take its time, for which the database's watch does not wait. */
  private void answered(boolean paused) {
    boolean isToLook = paused || isPaused || isFailing;
    if (isToLook && isLooking.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("onceflow-participant-pause").start(this::lookOnce);
    }
  }

  private void lookOnce() {
    try {
      lookNow();
    } finally {
      isLooking.set(false);
    }
  }

  /** Looks at once, as after a change by this replica. */
  public synchronized void lookNow() {
    if (intake == null || isStopped) {
      return;
    }
    try {
      follow(intake, pauses.read().isPresent());
      isFailing = false;
    } catch (SQLException | RuntimeException e) {
      if (!isFailing) {
        LOG.warnf("a pause cannot be read, or not followed: %s; tried again with each look", e);
      }
      isFailing = true;
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

  private void follow(Intake intake, boolean isPausedNow) {
    boolean wasPaused = isPaused;
    isPaused = isPausedNow;
    if (isPaused) {
      intake.rest();
    } else {
      intake.take();
    }
    if (isPaused != wasPaused) {
      LOG.info(isPaused ? "paused: takes no more commands" : "resumed: takes commands again");
    }
  }

  /** Ends; the consumer stays as it is. */
  public synchronized void stop() {
    isStopped = true;
  }
}
