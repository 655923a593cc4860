package io.onceflow.outbox.internal.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.OutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Finds committed messages in the log of the database; of all processes one does. */
public final class LogRelay implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(LogRelay.class);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final LogReader reader;
  private final SlotWatch watch;
  private final PeriodicTask looks;
  private final Thread thread;

  private LogRelay(
      DataSource database,
      ReplicationSlot slot,
      OutboxConfig.Cdc config,
      ObjectMapper json,
      CommittedMessages messages,
      MeterRegistry registry) {
    long asked = System.nanoTime();
    DatabaseTime time = new DatabaseTime(Instant.now(), asked);
    ReplicationLogin login = ReplicationLogin.of(database, config.url());
    reader = new LogReader(database, login, slot, json, messages, time, stopped);
    watch = new SlotWatch(database, slot, reader, time, config);
    watch.register(registry);
    looks = new PeriodicTask("outbox-slot", watch::look);
    thread = Thread.ofPlatform().name("outbox-log").start(reader);
    looks.start(Duration.ZERO, SlotWatch.EVERY);
  }

  /**
   * Checks that the database lets its log be read, and begins to.
   *
   * @param grace how long what is written is left to the reader
   * @param messages starts who takes what is found, once all is in order
   * @throws CdcRefused where an operator has to do something first
   */
  public static LogRelay start(
      DataSource database,
      OutboxConfig.Cdc config,
      Duration grace,
      ObjectMapper json,
      MeterRegistry registry,
      Supplier<? extends CommittedMessages> messages) {
    if (!grace.isPositive()) {
      throw new CdcRefused(
          "onceflow.outbox.relay.hand-over-grace is %s, so nothing is left to it".formatted(grace),
          "Make it longer than the broker takes to confirm");
    }
    try (Connection connection = database.getConnection()) {
      ReplicationSlot slot = ReplicationSlot.of(config.slot(), config.publication(), connection);
      slot.require(connection);
      return new LogRelay(database, slot, config, json, messages.get(), registry);
    } catch (SQLException e) {
      throw new IllegalStateException("the database does not say whether its log can be read", e);
    }
  }

  /** Whether what is now written may be left to the reader of the log, in whatever process. */
  public boolean isRead() {
    return watch.isRead();
  }

  /** Lets another process read. */
  @Override
  public void close() {
    stopped.countDown();
    looks.close();
    try {
      reader.end();
      TimeUnit.NANOSECONDS.timedJoin(thread, STOP_WITHIN.toNanos());
      thread.interrupt();
    } catch (SQLException e) {
      LOG.debug("the stream of the log did not end well", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
