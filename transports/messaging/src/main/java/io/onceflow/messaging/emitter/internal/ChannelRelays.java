package io.onceflow.messaging.emitter.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.messaging.OutboxEmitter;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.relay.RelayLoop;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.reactive.messaging.annotations.EmitterFactoryFor;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The relays of channels, a thread for each: a connector that does not answer stops its own channel
 * and no other one, nor the transport.
 */
@Singleton
class ChannelRelays {

  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final OutboxEmitterFactory emitters;
  private final ChannelOutbox outbox;
  private final OutgoingChecks checks;
  private final List<ConnectorLosses> losses;
  private final DataSource database;
  private final ObjectMapper json;
  private final OutboxConfig.Relay config;
  private final MeterRegistry metrics;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  ChannelRelays(
      @EmitterFactoryFor(OutboxEmitter.class) OutboxEmitterFactory emitters,
      ChannelOutbox outbox,
      OutgoingChecks checks,
      @All List<ConnectorLosses> losses,
      DataSource database,
      ObjectMapper json,
      OutboxConfig config,
      MeterRegistry metrics) {
    this.emitters = emitters;
    this.outbox = outbox;
    this.checks = checks;
    this.losses = losses;
    this.database = database;
    this.json = json;
    this.config = config.relay();
    this.metrics = metrics;
  }

  /** The connectors are wired by now. */
  void start(@Observes StartupEvent started) {
    checks.warnOfChannelsThatAreGone();
    emitters.outlets().forEach(this::start);
  }

  private void start(ConnectorOutlet outlet) {
    String channel = outlet.channel();
    losses.forEach(it -> it.onLoss(channel, outlet::lose));
    ChannelPublisher publisher =
        new ChannelPublisher(
            outlet, new ChannelMessages(checks.writer(channel)), config.batchSize());
    OutboxTable rows = new OutboxTable(json, config, channel);
    RelayBatch batch = new RelayBatch(database, rows, publisher, config, metrics);
    RelayLoop loop = new RelayLoop(batch, outbox.signal(channel), config, stopped);
    threads.add(Thread.ofPlatform().name("channel-relay-" + channel).start(loop));
  }

  /** Before the connectors close. */
  void stop(@Observes ShutdownEvent stopping) throws InterruptedException {
    stopped.countDown();
    emitters.outlets().stream()
        .map(ConnectorOutlet::channel)
        .map(outbox::signal)
        .forEach(RelaySignal::raise);
    long deadline = System.nanoTime() + STOP_WITHIN.toNanos();
    for (Thread thread : threads) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      thread.interrupt();
    }
  }
}
