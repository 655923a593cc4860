package io.onceflow.quarkus.runtime;

import io.onceflow.inbox.InboxCleanup;
import io.onceflow.inbox.InboxConfig;
import io.onceflow.inbox.InboxQueues;
import io.onceflow.inbox.MessageSource;
import io.onceflow.inbox.ParkedMessages;
import io.onceflow.inbox.Participant;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Relay;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Starts what the product runs in the background, and stops it in the order of a message's way. */
@Singleton
class Lifecycle {

  private static final int FIRST = Interceptor.Priority.APPLICATION;
  private static final int LAST = Interceptor.Priority.LIBRARY_AFTER;

  private final Relay relay;
  private final InboxCleanup cleanup;
  private final Optional<CommandQueue> commands;

  Lifecycle(
      OnceflowModel model,
      Relay relay,
      InboxCleanup cleanup,
      Instance<Participant<Object>> participant,
      MessageSource source,
      InboxQueues queues,
      InboxConfig config,
      ParkedMessages parked,
      @ConfigProperty(name = "quarkus.application.name") String name) {
    this.relay = relay;
    this.cleanup = cleanup;
    this.commands =
        model.isParticipant()
            ? Optional.of(
                new CommandQueue(
                    participant.get(),
                    source,
                    new MessageSource.Queue(
                        name + ".commands", OutboxMessage.COMMANDS, model.bindings()),
                    queues,
                    config,
                    parked))
            : Optional.empty();
  }

  void start(@Observes StartupEvent started) {
    cleanup.start();
    commands.ifPresent(CommandQueue::start);
    relay.start();
    commands.ifPresent(CommandQueue::open);
  }

  /** What has been taken on is finished first, while its replies can leave. */
  void stopCommands(@Observes @Priority(FIRST) ShutdownEvent stopping) {
    commands.ifPresent(CommandQueue::stop);
  }

  /** After the replies to this application's own sagas. */
  void stopRelay(@Observes @Priority(LAST) ShutdownEvent stopping) {
    relay.stop();
    cleanup.stop();
  }
}
