package io.onceflow.saga.trip;

import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.saga.internal.messaging.ReplyConsumer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** In place of the extension's, which this module does not know. */
@Singleton
class TripLifecycle {

  private final ReplyConsumer replies;
  private final Relay relay;

  TripLifecycle(ReplyConsumer replies, Relay relay) {
    this.replies = replies;
    this.relay = relay;
  }

  void start(@Observes StartupEvent started) {
    replies.start();
    relay.start();
    replies.open();
  }

  void stop(@Observes ShutdownEvent stopping) {
    replies.stop();
    relay.stop();
  }
}
