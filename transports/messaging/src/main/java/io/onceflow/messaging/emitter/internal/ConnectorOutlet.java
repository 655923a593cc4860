package io.onceflow.messaging.emitter.internal;

import io.smallrye.reactive.messaging.EmitterConfiguration;
import io.smallrye.reactive.messaging.annotations.EmitterFactoryFor;
import io.smallrye.reactive.messaging.providers.extension.AbstractEmitter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.jspecify.annotations.Nullable;

/** The end of a channel that its connector reads from. */
final class ConnectorOutlet extends AbstractEmitter<Object> {

  ConnectorOutlet(EmitterConfiguration configuration) {
    super(new Unbuffered(configuration), 1);
  }

  /** The relay bounds what is in flight: the connector's buffer never has to refuse. */
  private record Unbuffered(
      String name, EmitterFactoryFor emitterType, boolean broadcast, int subscribers)
      implements EmitterConfiguration {

    Unbuffered(EmitterConfiguration given) {
      this(
          given.name(),
          given.emitterType(),
          given.broadcast(),
          given.numberOfSubscriberBeforeConnecting());
    }

    @Override
    public OnOverflow.Strategy overflowBufferStrategy() {
      return OnOverflow.Strategy.UNBOUNDED_BUFFER;
    }

    @Override
    public long overflowBufferSize() {
      return 0;
    }

    @Override
    public int numberOfSubscriberBeforeConnecting() {
      return subscribers;
    }
  }

  String channel() {
    return name;
  }

  /**
   * Gives a message to the connector, after all those before it.
   *
   * @return why it was not sent; empty once the connector has acknowledged it. Never completes if
   *     the connector loses it
   */
  CompletableFuture<Optional<String>> send(Message<Object> message) {
    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    try {
      emit(
          message
              .withAck(() -> completed(answer.complete(Optional.empty())))
              .withNack(failure -> completed(answer.complete(Optional.of(why(failure))))));
    } catch (RuntimeException e) {
      answer.complete(Optional.of(why(e)));
    }
    return answer;
  }

  private static CompletionStage<@Nullable Void> completed(boolean isFirst) {
    return CompletableFuture.completedFuture(null);
  }

  private static String why(Throwable failure) {
    return failure.toString();
  }
}
