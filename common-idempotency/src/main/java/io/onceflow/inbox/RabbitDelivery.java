package io.onceflow.inbox;

import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMetadata;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * A message of the SmallRye RabbitMQ connector, as the inbox takes it. Whoever uses it brings the
 * connector; the rest of the inbox knows no transport.
 */
public final class RabbitDelivery {

  private static final Logger LOG = Logger.getLogger(RabbitDelivery.class);

  private RabbitDelivery() {}

  /**
   * Wraps a message that is acknowledged by hand.
   *
   * @param queue the queue it came from
   * @param message as the connector hands it to an {@code @Incoming} method, its bytes untouched
   */
  public static Delivery of(String queue, Message<byte[]> message) {
    IncomingRabbitMQMetadata amqp =
        message
            .getMetadata(IncomingRabbitMQMetadata.class)
            .orElseThrow(
                () -> new IllegalStateException("not a message of the RabbitMQ connector"));
    return new Delivery(
        queue,
        amqp.getMessageId().orElse(null),
        amqp.getType().orElse(null),
        amqp.getCorrelationId().orElse(null),
        amqp.getReplyTo().orElse(null),
        text(amqp.getHeaders()),
        message.getPayload(),
        () -> acknowledge(message));
  }

  private static Map<String, String> text(Map<String, Object> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getValue() != null)
        .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().toString()));
  }

  /** A broker that has gone cannot be told; it sends the message again, and the inbox knows it. */
  private static void acknowledge(Message<byte[]> message) {
    message
        .ack()
        .exceptionally(
            failure -> {
              LOG.debugf("not acknowledged, so it will come again: %s", failure.getMessage());
              return null;
            });
  }
}
