package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.util.Map;

/** The AMQP properties of what goes out. */
public final class AmqpProperties {

  private static final int PERSISTENT = 2;

  private AmqpProperties() {}

  /** Those of a message, or of a bundle. */
  public static BasicProperties of(OutgoingMessage outgoing) {
    return outgoing.isBundle() ? ofBundle(outgoing) : ofMessage(outgoing.messages().getFirst());
  }

  private static BasicProperties ofBundle(OutgoingMessage bundle) {
    return new BasicProperties.Builder()
        .messageId(bundle.id().toString())
        .type(MessageBundle.TYPE)
        .contentType(MessageBundle.CONTENT_TYPE)
        .deliveryMode(PERSISTENT)
        .headers(Map.of(MessageBundle.COUNT_HEADER, bundle.messages().size()))
        .build();
  }

  private static BasicProperties ofMessage(OutboxMessage message) {
    return new BasicProperties.Builder()
        .messageId(message.id().toString())
        .type(message.type())
        .contentType("application/json")
        .deliveryMode(PERSISTENT)
        .correlationId(message.correlationId())
        .replyTo(message.replyTo())
        .headers(Map.copyOf(message.headers()))
        .build();
  }
}
