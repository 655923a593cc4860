package io.onceflow.outbox.internal.relay;

import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.internal.watchdog.LoopWatch;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.transport.TransportRefusal;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * One relay thread: relays batch after batch while there is something, then sleeps until woken or
 * until the next poll, which is less frequent while polls find nothing. When broker or database are
 * unavailable it says so once and retries with growing pauses, which no signal cuts short: commits
 * continue, and each of them signals.
 */
public final class RelayLoop implements Runnable {

  private static final Logger LOG = Logger.getLogger(RelayLoop.class);

  /** How soon to look again whether an older message of the same aggregate is gone. */
  private static final Duration HELD_UP_PAUSE = Duration.ofMillis(20);

  private final RelayBatch batch;
  private final RelaySignal signal;
  private final OutboxConfig.Relay config;
  private final CountDownLatch stopped;
  private final IdlePace pace;
  private long lookedAtGeneration = -1;
  private int failures;

  /**
   * @param stopped ends the loop once it is counted down; the signal wakes it to see that
   */
  public RelayLoop(
      RelayBatch batch, RelaySignal signal, OutboxConfig.Relay config, CountDownLatch stopped) {
    this(batch, signal, config, stopped, new IdlePace(config.pollInterval()));
  }

  /**
   * @param pace which the threads of a relay share
   */
  RelayLoop(
      RelayBatch batch,
      RelaySignal signal,
      OutboxConfig.Relay config,
      CountDownLatch stopped,
      IdlePace pace) {
    this.pace = pace;
    this.batch = batch;
    this.signal = signal;
    this.config = config;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    LoopWatch watch = LoopWatch.begin("outbox-relay", config.pollInterval());
    try {
      boolean full = false;
      while (isRunning()) {
        watch.turned();
        long seen = signal.generation();
        full = (full || isToLook(seen)) && relayedFullBatch();
        if (failures > 0) {
          stopped.await(RetryJitter.of(config.backoff(failures)).toNanos(), TimeUnit.NANOSECONDS);
        } else if (batch.isHeldUp() && isRunning()) {
          signal.await(seen, HELD_UP_PAUSE);
        } else if (!full && isRunning()) {
          signal.await(seen, config.pollInterval());
        }
      }
      watch.close();
    } catch (InterruptedException e) {
      watch.close();
      Thread.currentThread().interrupt();
    } finally {
      batch.close();
    }
  }

  private boolean isToLook(long generation) {
    boolean isWoken = generation != lookedAtGeneration;
    lookedAtGeneration = generation;
    return isWoken || failures > 0 || batch.isHeldUp() || pace.isDue();
  }

  private boolean isRunning() {
    return stopped.getCount() > 0;
  }

  private boolean relayedFullBatch() throws InterruptedException {
    try {
      boolean full = batch.relay();
      if (!batch.foundNothing()) {
        pace.busy();
      }
      if (failures > 0) {
        LOG.infof("the relay works again after %s failed attempts", failures);
        failures = 0;
      }
      return full;
    } catch (IOException | SQLException | RuntimeException | Error e) {
      // An error as well: a relay whose threads have died says nothing and sends nothing.
      if (failures++ == 0 && !(e instanceof TransportRefusal)) {
        LOG.warnf("the relay cannot work: %s; outbox rows wait and it tries again", e.toString());
      }
      LOG.debug("the relay cannot work", e);
      return false;
    }
  }
}
