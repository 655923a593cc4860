package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesWriter;
import io.smallrye.reactive.messaging.rabbitmq.OutgoingRabbitMQMetadata;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;

/** For RabbitMQ: persistent messages. */
@Singleton
class RabbitProperties implements MessageAttributesWriter {

  private static final int PERSISTENT = 2;

  @Override
  public String connector() {
    return "smallrye-rabbitmq";
  }

  @Override
  public Object write(MessageAttributes attributes) {
    Map<String, Object> headers = new HashMap<>(attributes.headers());
    headers.remove(ChannelMessages.CONTENT_TYPE);
    return OutgoingRabbitMQMetadata.builder()
        .withMessageId(attributes.messageId())
        .withType(attributes.type())
        .withContentType(attributes.headers().get(ChannelMessages.CONTENT_TYPE))
        .withDeliveryMode(PERSISTENT)
        .withHeaders(headers)
        .build();
  }
}
