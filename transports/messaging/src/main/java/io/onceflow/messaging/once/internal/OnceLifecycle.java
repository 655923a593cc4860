package io.onceflow.messaging.once.internal;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.messaging.settings.internal.ChannelNames;
import io.onceflow.messaging.settings.internal.ConnectorSettings;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.List;
import org.eclipse.microprofile.config.Config;

/**
 * Starts the threads of the channels before the connectors deliver, and stops them before the
 * connectors close, so that what was settled can be acknowledged.
 */
@Singleton
class OnceLifecycle {

  /** The connectors are started at {@link Interceptor.Priority#LIBRARY_BEFORE}. */
  private static final int BEFORE_CONNECTORS = Interceptor.Priority.LIBRARY_BEFORE - 100;

  private final List<OnceSubscriber> subscribers;
  private final Config config;
  private final Recovery recovery;

  OnceLifecycle(
      @All List<OnceSubscriber> subscribers,
      Config config,
      InboxQueues queues,
      ParkedMessages parked,
      InboxConfig inbox) {
    this.subscribers = subscribers;
    this.config = config;
    FailedMessages failed = new FailedMessages(queues, parked, inbox);
    this.recovery =
        new Recovery(inbox.recoveryInterval(), System::nanoTime, () -> failed.tryAgain() > 0);
  }

  void start(@Observes @Priority(BEFORE_CONNECTORS) StartupEvent starting) {
    if (subscribers.isEmpty()) {
      return;
    }
    ConnectorSettings.check(
        config, ChannelNames.INCOMING, subscribers.stream().map(OnceSubscriber::channel).toList());
    subscribers.forEach(subscriber -> subscriber.open().consumer().start());
    recovery.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    if (!subscribers.isEmpty()) {
      subscribers.forEach(subscriber -> subscriber.open().consumer().finish());
      recovery.close();
    }
  }
}
