package io.onceflow.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A message as a record: what AMQP has as properties is in headers of the same names, and the key
 * is the saga's id, so that the messages of a saga keep their order.
 */
final class MessageRecords {

  private static final String MESSAGE_ID = "message-id";
  private static final String TYPE = "type";
  private static final String CORRELATION_ID = "correlation-id";
  private static final String REPLY_TO = "reply-to";
  private static final String ROUTING_KEY = "routing-key";
  private static final String CONTENT_TYPE = "content-type";

  /** What says whose message it is and what it is about. Agents may repeat the trace context. */
  private static final Set<String> OURS =
      Set.of(
          MESSAGE_ID,
          TYPE,
          CORRELATION_ID,
          REPLY_TO,
          ROUTING_KEY,
          MessageHeaders.IDEMPOTENCY_KEY,
          MessageHeaders.IDEMPOTENCY_SCOPE,
          MessageHeaders.SAGA_ORIGIN,
          MessageHeaders.SAGA_STEP,
          MessageHeaders.SAGA_UNDOES,
          MessageHeaders.OUTCOME,
          MessageHeaders.EXPIRES_AT,
          MessageHeaders.AWAIT_WITHIN,
          MessageHeaders.ENDS_WITH,
          MessageHeaders.MESSAGE_VERSION);

  private MessageRecords() {}

  static ProducerRecord<byte[], byte[]> of(String topic, OutboxMessage message) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key(message), message.payload().getBytes(UTF_8));
    Headers headers = record.headers();
    message.headers().forEach((name, value) -> add(headers, name, value));
    add(headers, MESSAGE_ID, message.id().toString());
    add(headers, TYPE, message.type());
    add(headers, CORRELATION_ID, message.correlationId());
    add(headers, REPLY_TO, message.replyTo());
    add(headers, ROUTING_KEY, message.routingKey());
    add(headers, CONTENT_TYPE, "application/json");
    return record;
  }

  private static byte[] key(OutboxMessage message) {
    String saga = message.correlationId();
    return (saga == null ? message.aggregateId() : saga).getBytes(UTF_8);
  }

  private static void add(Headers headers, String name, @Nullable String value) {
    if (value != null) {
      headers.add(name, value.getBytes(UTF_8));
    }
  }

  /**
   * Reads a record. One without a value has a fault, as has one with a header of ours that is there
   * twice: no client says which value counts. Of one that is too large only the beginning is kept.
   * All of them are parked.
   *
   * @param largest bytes that a message may have
   */
  static Delivery read(
      String queue, ConsumerRecord<byte[], byte[]> record, int largest, Delivery.Receipt receipt) {
    Map<String, String> headers = new HashMap<>();
    @Nullable String twice = null;
    for (Header header : record.headers()) {
      if (header.value() != null) {
        String value = new String(header.value(), UTF_8);
        @Nullable String before = headers.put(header.key(), value);
        boolean isOther = before != null && !before.equals(value);
        twice = isOther && OURS.contains(header.key()) ? header.key() : twice;
      }
    }
    byte[] body = record.value();
    headers.remove(CONTENT_TYPE);
    Delivery delivery =
        new Delivery(
            queue,
            headers.remove(MESSAGE_ID),
            headers.remove(TYPE),
            headers.remove(CORRELATION_ID),
            headers.remove(REPLY_TO),
            headers,
            body == null ? new byte[0] : body,
            receipt,
            fault(body, twice),
            headers.remove(ROUTING_KEY));
    return body != null && body.length > largest ? delivery.truncated(largest) : delivery;
  }

  private static @Nullable String fault(byte @Nullable [] body, @Nullable String twice) {
    if (body == null) {
      return "the record has no value";
    }
    return twice == null ? null : "header %s is there twice".formatted(twice);
  }
}
