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
  private volatile boolean isConnected;

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
   * Whether the connector has acknowledged a message since {@link #lost()}. Before it has connected
   * it keeps what it is given, and what follows just then may overtake that.
   */
  public boolean isConnected() {
    return isConnected;
  }

  /** The connector's connection has ended. */
  public void lost() {
    isConnected = false;
  }

  /**
   * Gives a message to the connector, after all those before it once it {@linkplain #isConnected()
   * is connected}.
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
              .withAck(() -> acknowledged(answer))
              .withNack(failure -> done(answer.complete(Optional.of(failure.toString())))));
    }
    return answer;
  }

  private CompletionStage<@Nullable Void> acknowledged(CompletableFuture<Optional<String>> answer) {
    isConnected = true;
    return done(answer.complete(Optional.empty()));
  }

  private static CompletionStage<@Nullable Void> done(boolean isFirst) {
    return CompletableFuture.completedFuture(null);
  }
}
