package io.onceflow.messaging.transport.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.AmqpProperties;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.OutgoingRabbitMQMetadata;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.jspecify.annotations.Nullable;

/** A channel of the connector that sends to one exchange; it connects with its first message. */
final class OutgoingChannel {

  private @Nullable MultiEmitter<? super Message<?>> emitter;

  OutgoingChannel(OutboundConnector connector, Config settings) {
    Multi.createFrom()
        .<Message<?>>emitter(opened -> emitter = opened, BackPressureStrategy.BUFFER)
        .subscribe(subscriber(connector, settings));
  }

  /** The connector takes any message. */
  @SuppressWarnings("unchecked")
  private static Flow.Subscriber<Message<?>> subscriber(
      OutboundConnector connector, Config settings) {
    return (Flow.Subscriber<Message<?>>) connector.getSubscriber(settings);
  }

  /** False once the connector has given up on it. */
  boolean isOpen() {
    return emitter != null && !emitter.isCancelled();
  }

  /**
   * Sends a message, after all those before it.
   *
   * @param onAnswer gets null once the broker has confirmed it, and why where it did not; never
   *     called if the connection breaks before
   */
  void send(OutgoingMessage message, byte[] body, Consumer<@Nullable Throwable> onAnswer) {
    Objects.requireNonNull(emitter, "subscribed at once")
        .emit(
            Message.of(
                body,
                Metadata.of(metadata(message)),
                () -> answer(onAnswer, null),
                failure -> answer(onAnswer, failure)));
  }

  private static CompletableFuture<Void> answer(
      Consumer<@Nullable Throwable> onAnswer, @Nullable Throwable failure) {
    onAnswer.accept(failure);
    return CompletableFuture.completedFuture(null);
  }

  private static OutgoingRabbitMQMetadata metadata(OutgoingMessage message) {
    BasicProperties properties = AmqpProperties.of(message);
    return OutgoingRabbitMQMetadata.builder()
        .withRoutingKey(message.amqpKey())
        .withMessageId(properties.getMessageId())
        .withType(properties.getType())
        .withContentType(properties.getContentType())
        .withDeliveryMode(properties.getDeliveryMode())
        .withCorrelationId(properties.getCorrelationId())
        .withReplyTo(properties.getReplyTo())
        .withHeaders(properties.getHeaders())
        .build();
  }
}
