package io.onceflow.internal.watchdog;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task again and again on its own thread, watched by a {@link LoopWatch}. A run that fails
 * does not end it. The first failure in a row is logged, and the first success after it.
 */
public final class PeriodicTask implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(PeriodicTask.class);

  /** A run takes milliseconds; closing does not wait for a database that hangs. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private final String name;
  private final Run run;
  private final ScheduledExecutorService thread;
  private final AtomicBoolean isFailing = new AtomicBoolean();
  private volatile @Nullable Duration interval;
  private volatile @Nullable LoopWatch watch;
  private @Nullable Future<?> next;

  @FunctionalInterface
  public interface Run {

    /** Does the work. An exception is logged; the task runs again after its interval. */
    void once() throws Exception;
  }

  /**
   * Makes a task that does not run yet.
   *
   * @param name of its loop; a tag of metrics, so one of few
   */
  public PeriodicTask(String name, Run run) {
    this.name = name;
    this.run = run;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("onceflow-" + name).factory());
  }

  /** Runs it from now on, first after a delay. Replaces the schedule that it had. */
  public synchronized void start(Duration delay, Duration every) {
    if (thread.isShutdown()) {
      return;
    }
    LoopWatch watched = LoopWatch.begin(name, every);
    stopWatching();
    watch = watched;
    interval = every;
    if (next != null) {
      next.cancel(false);
    }
    long nanos = Math.max(1, every.toNanos());
    next =
        thread.scheduleWithFixedDelay(this::runOnce, delay.toNanos(), nanos, TimeUnit.NANOSECONDS);
  }

  /** Runs it at this interval, unless it runs at a shorter one. */
  public void startAtLeastEvery(Duration every) {
    if (isSlowerThan(every)) {
      synchronized (this) {
        if (isSlowerThan(every)) {
          start(every, every);
        }
      }
    }
  }

  private boolean isSlowerThan(Duration every) {
    Duration now = interval;
    return now == null || every.compareTo(now) < 0;
  }

  /** Runs it once, on the calling thread. */
  public void runOnce() {
    try {
      run.once();
      if (isFailing.getAndSet(false)) {
        LOG.infof("%s works again", name);
      }
    } catch (Exception | Error e) {
      // An Error as well: the executor would silently never run the task again after one.
      if (!isFailing.getAndSet(true)) {
        LOG.warnf("%s fails: %s; retried every %s", name, e, interval);
      }
      LOG.debugf(e, "%s fails", name);
    }
    turned();
  }

  /** A run that takes long is still running. */
  public void turned() {
    LoopWatch watched = watch;
    if (watched != null) {
      watched.turned();
    }
  }

  /** Whether it was not closed. */
  public boolean isOpen() {
    return !thread.isShutdown();
  }

  /** Ends it after the run at hand, which is interrupted if it takes long. */
  @Override
  public void close() {
    synchronized (this) {
      thread.shutdown();
      stopWatching();
    }
    try {
      if (!thread.awaitTermination(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopWatching() {
    LoopWatch watched = watch;
    if (watched != null) {
      watched.close();
    }
  }
}
