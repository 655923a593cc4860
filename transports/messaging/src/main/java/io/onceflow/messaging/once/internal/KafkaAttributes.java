package io.onceflow.messaging.once.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesReader;
import io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordMetadata;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/** Of records: what AMQP has as properties is in headers of the same names. */
@Singleton
class KafkaAttributes implements MessageAttributesReader {

  @Override
  public Optional<MessageAttributes> read(Message<?> message) {
    return message.getMetadata(IncomingKafkaRecordMetadata.class).map(KafkaAttributes::of);
  }

  private static MessageAttributes of(IncomingKafkaRecordMetadata<?, ?> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.getHeaders()) {
      if (header.value() != null) {
        headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
      }
    }
    String position =
        "%s-%s-%s".formatted(record.getTopic(), record.getPartition(), record.getOffset());
    return new MessageAttributes(
        headers, headers.get("message-id"), headers.get("type"), text(record.getKey()), position);
  }

  private static @Nullable String text(@Nullable Object key) {
    return switch (key) {
      case null -> null;
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      default -> key.toString();
    };
  }
}
