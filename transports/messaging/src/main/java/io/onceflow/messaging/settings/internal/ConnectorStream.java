package io.onceflow.messaging.settings.internal;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * The end of a channel that its connector reads from. Nothing is refused for lack of room: the
 * relay bounds what is in flight.
 */
public final class ConnectorStream {

  private volatile @Nullable MultiEmitter<? super Message<?>> emitter;

  private final Multi<Message<?>> messages =
      Multi.createFrom().emitter(opened -> emitter = opened, BackPressureStrategy.BUFFER);

  /** For the connector. */
  public Multi<Message<?>> messages() {
    return messages;
  }

  /** False before the connector reads, and once it has given up. */
  public boolean isOpen() {
    MultiEmitter<?> open = emitter;
    return open != null && !open.isCancelled();
  }

  /**
   * Gives a message to the connector, after all those before it.
   *
   * @return why it was not sent; empty once the connector has acknowledged it. Never completes if
   *     the connector loses it
   */
  public CompletableFuture<Optional<String>> send(Message<?> message) {
    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    MultiEmitter<? super Message<?>> open = emitter;
    if (open == null || open.isCancelled()) {
      answer.complete(Optional.of("the channel's connector does not read"));
    } else {
      open.emit(
          message
              .withAck(() -> done(answer.complete(Optional.empty())))
              .withNack(failure -> done(answer.complete(Optional.of(failure.toString())))));
    }
    return answer;
  }

  private static CompletionStage<@Nullable Void> done(boolean isFirst) {
    return CompletableFuture.completedFuture(null);
  }
}
