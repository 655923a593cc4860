package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesWriter;
import io.smallrye.reactive.messaging.kafka.api.OutgoingKafkaRecordMetadata;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** For Kafka: what AMQP has as properties is in headers of the same names. */
@Singleton
class KafkaHeaders implements MessageAttributesWriter {

  @Override
  public String connector() {
    return "smallrye-kafka";
  }

  @Override
  public Object write(MessageAttributes attributes) {
    RecordHeaders headers = new RecordHeaders();
    attributes.headers().forEach((name, value) -> add(headers, name, value));
    add(headers, ChannelMessages.MESSAGE_ID, attributes.messageId());
    add(headers, "type", attributes.type());
    return OutgoingKafkaRecordMetadata.<String>builder()
        .withKey(attributes.recordKey())
        .withHeaders(headers)
        .build();
  }

  private static void add(RecordHeaders headers, String name, @Nullable String value) {
    if (value != null) {
      headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
  }
}
