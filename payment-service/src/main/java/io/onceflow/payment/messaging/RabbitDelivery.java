package io.onceflow.payment.messaging;

import io.onceflow.inbox.Delivery;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import java.util.Map;
import java.util.stream.Collectors;

/** A message of the RabbitMQ connector, as the inbox takes it. */
final class RabbitDelivery {

  private RabbitDelivery() {}

  static Delivery of(String queue, IncomingRabbitMQMessage<byte[]> amqp, CommandChannel channel) {
    return new Delivery(
        queue,
        amqp.getMessageId().orElse(null),
        amqp.getType().orElse(null),
        amqp.getCorrelationId().orElse(null),
        amqp.getReplyTo().orElse(null),
        text(amqp.getHeaders()),
        amqp.getPayload(),
        channel.acknowledgement(amqp.message.envelope().getDeliveryTag()));
  }

  private static Map<String, String> text(Map<String, Object> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getValue() != null)
        .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().toString()));
  }
}
