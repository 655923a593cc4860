package io.onceflow.outbox.internal.relay;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxDepth;
import io.onceflow.outbox.internal.OutboxGauges;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the outbox holds. What this process commits is published by the thread that
 * commits it ({@link DirectPublisher}); all else the relay reads from the table: leases a batch,
 * publishes it with pipelined confirms, deletes what was confirmed, commits. Any number of relays
 * work side by side; a relay that dies lets go of its rows, and they are published again under the
 * same message-id.
 *
 * <p>Nothing runs until {@link #start()}: a service that only wants the guard has no relay.
 */
@ApplicationScoped
public class Relay {

  /** A batch may wait for its confirms this long; stopping does not wait longer. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final OutboxConfig.Relay config;
  private final DataSource database;
  private final OutboxTable table;
  private final MessageTransport transport;
  private final RelaySignal signal;
  private final MeterRegistry registry;
  private final OutboxDepth depth;
  private final List<Thread> threads = new ArrayList<>();
  private @Nullable CountDownLatch stopped;
  private @Nullable DirectPublisher publisher;
  private @Nullable OutboxGauges gauges;

  public Relay(
      OutboxConfig config,
      DataSource database,
      ObjectMapper json,
      MessageTransport transport,
      RelaySignal signal,
      MeterRegistry registry,
      OutboxDepth depth) {
    this.config = config.relay();
    this.database = database;
    this.table = new OutboxTable(json, this.config);
    this.transport = transport;
    this.signal = signal;
    this.registry = registry;
    this.depth = depth;
  }

  /** Starts the relay's threads; does nothing when they run already. */
  public synchronized void start() {
    if (stopped != null) {
      return;
    }
    CountDownLatch fresh = new CountDownLatch(1);
    stopped = fresh;
    depth.begin();
    Gauge.builder("onceflow.broker.blocked", transport, it -> it.blocked().isPresent() ? 1 : 0)
        .description("1 while the broker blocks publishers, as during an alarm")
        .register(registry);
    switch (config.mode()) {
      case POLLER -> {
        if (config.directPublishGrace().isPositive()) {
          startPublisher(fresh);
          signal.deliverTo(transport.localReceivers());
        }
        startPolling(fresh);
      }
      case NONE -> signal.leaveToTheLog();
    }
    gauges = new OutboxGauges(depth, registry);
    gauges.start();
  }

  private void startPolling(CountDownLatch until) {
    LowWaterMark<UUID> mark = ClaimScan.mark(database);
    IdlePace pace = new IdlePace(config.pollInterval());
    for (int i = 1; i <= config.threads(); i++) {
      Publisher publisher = new TransportPublisher(transport, BundlePolicy.by(config));
      RelayBatch batch = new RelayBatch(database, table, publisher, config, registry, mark);
      RelayLoop loop = new RelayLoop(batch, signal, config, until, pace);
      threads.add(Thread.ofPlatform().name("outbox-relay-" + i).start(loop));
    }
  }

  private void startPublisher(CountDownLatch until) {
    DirectPublisher fresh = new DirectPublisher(config);
    DirectPublishLoop loop =
        new DirectPublishLoop(
            fresh,
            signal,
            database,
            table,
            transport,
            config,
            new RelayReport(registry, config.confirmDeadline()),
            until);
    threads.add(Thread.ofPlatform().name("outbox-direct-publish").start(loop));
    publisher = fresh;
    signal.publishBy(fresh);
  }

  /**
   * Lets each thread finish its batch, then returns; waits at most a few seconds. Where another
   * program reads the log, what is still written is for it as before: its rows are not kept.
   */
  @PreDestroy
  public synchronized void stop() {
    if (stopped == null) {
      return;
    }
    stopped.countDown();
    signal.publishBy(null);
    signal.deliverTo(LocalReceivers.NONE);
    if (publisher != null) {
      publisher.wake();
    }
    signal.raise();
    long deadline = System.nanoTime() + STOP_WITHIN.toNanos();
    for (Thread thread : threads) {
      awaitEnd(thread, Duration.ofNanos(deadline - System.nanoTime()));
    }
    threads.clear();
    if (gauges != null) {
      gauges.close();
    }
    stopped = null;
  }

  private static void awaitEnd(Thread thread, Duration longest) {
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, longest.toNanos()));
      thread.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
