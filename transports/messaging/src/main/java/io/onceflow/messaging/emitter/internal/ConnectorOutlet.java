package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.settings.internal.ConnectorStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * What a channel's connector is given, and what of it it has not answered. A connector may answer
 * long after the relay has stopped waiting, and what it has lost with a connection never.
 *
 * @param channel its name
 */
record ConnectorOutlet(String channel, ConnectorStream stream, Map<UUID, Sent> sent) {

  /** Longer than Kafka's client tries to deliver a record; what is silent for longer is lost. */
  private static final Duration LOST_AFTER = Duration.ofMinutes(3);

  /** A message that the connector has. */
  record Sent(CompletableFuture<Optional<String>> answer, long since) {

    private boolean isLost() {
      return System.nanoTime() - since > LOST_AFTER.toNanos();
    }
  }

  ConnectorOutlet(String channel) {
    this(channel, new ConnectorStream(), new ConcurrentHashMap<>());
  }

  /**
   * Sends a message, unless the connector has it already: then that answer is waited for.
   *
   * @param id of its row
   */
  CompletableFuture<Optional<String>> send(UUID id, Message<?> message) {
    @Nullable Sent before = sent.get(id);
    if (before != null && !before.isLost()) {
      return before.answer();
    }
    CompletableFuture<Optional<String>> answer = stream.send(message);
    Sent now = new Sent(answer, System.nanoTime());
    sent.put(id, now);
    return answer.whenComplete((why, failure) -> sent.remove(id, now));
  }

  /** How many messages it has and has not answered. */
  int inFlight() {
    sent.values().removeIf(Sent::isLost);
    return sent.size();
  }

  /** The connection has broken: the connector answers none of these. */
  void lose() {
    sent.values()
        .forEach(it -> it.answer().complete(Optional.of("the connection to the broker broke")));
  }
}
