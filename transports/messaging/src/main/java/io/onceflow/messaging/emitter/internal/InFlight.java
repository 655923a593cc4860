package io.onceflow.messaging.emitter.internal;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connector has been given and has not answered. A connector may answer long after the relay
 * has stopped waiting, and what it has lost with a connection never.
 */
final class InFlight {

  /** Longer than Kafka's client tries to deliver a record; what is silent for longer is lost. */
  static final Duration LOST_AFTER = Duration.ofMinutes(3);

  private final Map<UUID, Sent> sent = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  private record Sent(CompletableFuture<Optional<String>> answer, long since) {}

  /**
   * @param nanoTime as {@link System#nanoTime()}
   */
  InFlight(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Sends a message, unless the connector has it already: then that answer is waited for. */
  CompletableFuture<Optional<String>> send(
      UUID id, Supplier<CompletableFuture<Optional<String>>> connector) {
    @Nullable Sent before = sent.get(id);
    if (before != null && !isLost(before)) {
      return before.answer();
    }
    CompletableFuture<Optional<String>> answer = connector.get();
    Sent now = new Sent(answer, nanoTime.getAsLong());
    sent.put(id, now);
    return answer.whenComplete((why, failure) -> sent.remove(id, now));
  }

  int size() {
    sent.values().removeIf(this::isLost);
    return sent.size();
  }

  /** The connection has broken: the connector answers none of these. */
  void lose() {
    sent.values()
        .forEach(it -> it.answer().complete(Optional.of("the connection to the broker broke")));
  }

  private boolean isLost(Sent one) {
    return nanoTime.getAsLong() - one.since() > LOST_AFTER.toNanos();
  }
}
