package io.onceflow.systemtests;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A message as a record, as docs/reference/transports.md describes it. */
final class KafkaMessages {

  private static final String EXCHANGE = "onceflow\\.[^.]+";

  private KafkaMessages() {}

  /** The topic of what an exchange routes by a key, or by all keys that begin with its word. */
  static String topic(String exchange, String routingKey) {
    return exchange + '.' + routingKey.split("\\.", 2)[0];
  }

  /** The topic of a queue, such as {@code payment-service.commands}. */
  static String topicOf(String queue) {
    int dot = queue.lastIndexOf('.');
    String service = queue.substring(0, dot);
    String kind = queue.substring(dot + 1);
    return "onceflow.%s.%s"
        .formatted(kind, kind.equals("commands") ? service.replace("-service", "") : service);
  }

  static Message read(ConsumerRecord<byte[], byte[]> record) {
    Map<String, Object> headers = new HashMap<>();
    record
        .headers()
        .forEach(it -> headers.put(it.key(), new String(it.value(), StandardCharsets.UTF_8)));
    BasicProperties.Builder properties =
        new BasicProperties.Builder()
            .deliveryMode(2)
            .contentType(taken(headers, "content-type"))
            .messageId(taken(headers, "message-id"))
            .type(taken(headers, "type"))
            .correlationId(taken(headers, "correlation-id"))
            .replyTo(taken(headers, "reply-to"));
    String routingKey = taken(headers, "routing-key");
    String exchange = record.topic().substring(0, record.topic().lastIndexOf('.'));
    if (!exchange.matches(EXCHANGE)) {
      throw new IllegalStateException("a topic of another name: " + record.topic());
    }
    return new Message(
        exchange,
        String.valueOf(routingKey),
        properties.headers(headers).build(),
        record.value() == null ? new byte[0] : record.value());
  }

  private static @Nullable String taken(Map<String, Object> headers, String name) {
    Object value = headers.remove(name);
    return value == null ? null : value.toString();
  }

  static ProducerRecord<byte[], byte[]> write(Message message) {
    BasicProperties properties = message.properties();
    Map<String, @Nullable String> headers = new HashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
    }
    headers.put("content-type", properties.getContentType());
    headers.put("message-id", properties.getMessageId());
    headers.put("type", properties.getType());
    headers.put("correlation-id", properties.getCorrelationId());
    headers.put("reply-to", properties.getReplyTo());
    headers.put("routing-key", message.routingKey());
    String saga = properties.getCorrelationId();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic(message.exchange(), message.routingKey()),
            saga == null ? null : bytes(saga),
            message.body());
    headers.forEach(
        (name, value) -> {
          if (value != null) {
            record.headers().add(sendable(name), bytes(value));
          }
        });
    return record;
  }

  /**
   * Kafka's client counts half of a surrogate pair as four bytes and writes one: the broker would
   * refuse the whole batch.
   */
  private static String sendable(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
