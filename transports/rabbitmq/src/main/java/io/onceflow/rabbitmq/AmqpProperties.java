package io.onceflow.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.OutgoingMessage;
import io.onceflow.outbox.Pack;
import java.util.Map;

/** The AMQP properties of what goes out. */
final class AmqpProperties {

  private static final int PERSISTENT = 2;

  private AmqpProperties() {}

  static BasicProperties of(OutgoingMessage parcel) {
    return parcel.isPack() ? ofPack(parcel) : ofMessage(parcel.messages().getFirst());
  }

  private static BasicProperties ofPack(OutgoingMessage pack) {
    return new BasicProperties.Builder()
        .messageId(pack.id().toString())
        .type(Pack.TYPE)
        .contentType(Pack.CONTENT_TYPE)
        .deliveryMode(PERSISTENT)
        .headers(Map.of(Pack.COUNT_HEADER, pack.messages().size()))
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
