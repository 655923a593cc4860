package io.onceflow.messaging.once.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesReader;
import io.onceflow.rabbitmq.internal.HeaderText;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMetadata;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Of RabbitMQ's messages. */
@Singleton
class RabbitAttributes implements MessageAttributesReader {

  @Override
  public Optional<MessageAttributes> read(Message<?> message) {
    return message.getMetadata(IncomingRabbitMQMetadata.class).map(RabbitAttributes::of);
  }

  private static MessageAttributes of(IncomingRabbitMQMetadata amqp) {
    Map<String, String> headers = HeaderText.of(amqp.getHeaders());
    amqp.getCorrelationId().ifPresent(id -> headers.put("correlation-id", id));
    return new MessageAttributes(
        headers, amqp.getMessageId().orElse(null), amqp.getType().orElse(null), null, null);
  }
}
