package io.onceflow.quarkus.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxCleanup;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.RetentionInvalid;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.PendingGauge;
import io.onceflow.inbox.internal.participant.WokenSteps;
import io.onceflow.inbox.internal.pause.PauseWatch;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.quarkus.runtime.StartOrder.Part;
import io.onceflow.saga.internal.messaging.ReplyConsumer;
import io.onceflow.saga.internal.messaging.Timers;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Starts and stops all that the product runs in the background, for applications with and without
 * sagas. In this order:
 *
 * <ol>
 *   <li>migrations, by Flyway, before any observer of the start;
 *   <li>checks: of definitions, their versions and their deadlines, by observers with a lower
 *       priority, and of the inbox' retention; the broker's topology is checked on each connection
 *       before it is used;
 *   <li>consumers: their threads, which receive nothing yet;
 *   <li>the relay;
 *   <li>subscriptions, so that nothing is received before its answer can leave;
 *   <li>timers;
 *   <li>cleanup.
 * </ol>
 *
 * <p>It stops in reverse, each part within its deadline: what was received is finished while the
 * relay still publishes, and what is not finished is received again by another replica.
 */
@Singleton
class Lifecycle {

  /** More than any part waits for its threads; calls under way have their own deadline. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(8);

  private final StartOrder order;

  Lifecycle(
      OnceflowModel model,
      Relay relay,
      InboxCleanup cleanup,
      Instance<Participant> participant,
      Instance<ReplyConsumer> replies,
      Instance<Timers> timers,
      MessageSource source,
      InboxQueues queues,
      InboxConfig config,
      ParkedMessages parked,
      PauseWatch pause,
      WokenSteps woken,
      DataSource database,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.application.name") String name) {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("retention-check", () -> RetentionInvalid.check(config), () -> {}));
    List<Part> subscriptions = new ArrayList<>();
    if (model.isParticipant()) {
      MessageSource.Queue queue = MessageSource.Queue.ofCommands(name, model.bindings());
      CommandQueue commands =
          new CommandQueue(
              participant.get(),
              source,
              queue,
              queues,
              config,
              parked,
              pause,
              new PendingGauge(database, metrics),
              woken);
      parts.add(new Part("commands", commands::start, () -> {}));
      subscriptions.add(new Part("command-subscription", commands::open, commands::stop));
    }
    if (replies.isResolvable()) {
      ReplyConsumer consumer = replies.get();
      parts.add(new Part("replies", consumer::start, () -> {}));
      subscriptions.addFirst(new Part("reply-subscription", consumer::open, consumer::stop));
    }
    parts.add(new Part("relay", relay::start, relay::stop));
    parts.addAll(subscriptions);
    if (timers.isResolvable()) {
      parts.add(new Part("timers", timers.get()::start, timers.get()::stop));
    }
    parts.add(new Part("cleanup", cleanup::start, cleanup::stop));
    this.order = new StartOrder(parts, STOP_WITHIN.plus(config.callOut().stopWithin()));
  }

  void start(@Observes StartupEvent started) {
    order.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    order.stop();
  }
}
