package io.onceflow.outbox;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * One relay thread: relays batch after batch while there is something, then sleeps until woken or
 * until the next poll. When broker or database are away it says so once and tries again with
 * growing pauses.
 */
final class RelayLoop implements Runnable {

  private static final Logger LOG = Logger.getLogger(RelayLoop.class);

  private final RelayBatch batch;
  private final RelaySignal signal;
  private final OutboxConfig.Relay config;
  private final BooleanSupplier running;
  private int failures;

  RelayLoop(
      RelayBatch batch, RelaySignal signal, OutboxConfig.Relay config, BooleanSupplier running) {
    this.batch = batch;
    this.signal = signal;
    this.config = config;
    this.running = running;
  }

  @Override
  public void run() {
    try {
      while (running.getAsBoolean()) {
        long seen = signal.generation();
        if (!relayedFullBatch() && running.getAsBoolean()) {
          signal.await(failures > 0 ? signal.generation() : seen, pause());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      batch.close();
    }
  }

  private boolean relayedFullBatch() throws InterruptedException {
    try {
      boolean full = batch.relay();
      if (failures > 0) {
        LOG.infof("the relay is at work again after %d failed attempts", failures);
        failures = 0;
      }
      return full;
    } catch (IOException | SQLException | RuntimeException e) {
      if (failures++ == 0) {
        LOG.warnf("the relay cannot work: %s; outbox rows wait and it tries again", e.toString());
      }
      LOG.debug("the relay cannot work", e);
      return false;
    }
  }

  private Duration pause() {
    if (failures == 0) {
      return config.pollInterval();
    }
    Duration backoff = config.firstBackoff().multipliedBy(1L << Math.min(failures - 1, 10));
    return backoff.compareTo(config.longestBackoff()) < 0 ? backoff : config.longestBackoff();
  }
}
