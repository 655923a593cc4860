package io.onceflow.messaging.once.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesReader;
import io.onceflow.outbox.internal.MessageHeaders;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/** Turns messages of a channel into deliveries for the inbox. */
final class ChannelDeliveries {

  private static final MessageAttributes NONE =
      new MessageAttributes(Map.of(), null, null, null, null);

  private static final byte[] EMPTY = {};

  private final OnceMethod method;
  private final String queue;
  private final String channel;
  private final KeySource key;
  private final List<MessageAttributesReader> readers;
  private final ObjectMapper json;

  ChannelDeliveries(
      OnceMethod method,
      String channel,
      KeySource key,
      List<MessageAttributesReader> readers,
      ObjectMapper json) {
    this.method = method;
    this.queue = queue(channel, method.step());
    this.channel = channel;
    this.key = key;
    this.readers = readers;
    this.json = json;
  }

  /** The name under which messages of a channel are parked: two steps may read one channel. */
  static String queue(String channel, String step) {
    return channel + "/" + step;
  }

  Delivery of(ChannelReceipt receipt) {
    Message<?> message = receipt.message();
    MessageAttributes attributes = attributes(message);
    Content content = content(message.getPayload());
    return new Delivery(
        queue,
        attributes.messageId() == null ? attributes.position() : attributes.messageId(),
        attributes.type() == null ? method.payloadName() : attributes.type(),
        attributes.headers().get("correlation-id"),
        null,
        headers(attributes),
        content.bytes(),
        receipt,
        content.fault(),
        null);
  }

  /**
   * A payload as bytes.
   *
   * @param fault why there are none; null where there are
   */
  private record Content(byte[] bytes, @Nullable String fault) {}

  /** One that is not readable is parked: thrown here, it would end the channel. */
  private Content content(@Nullable Object payload) {
    try {
      return payload == null
          ? new Content(EMPTY, "it has no payload")
          : new Content(bytes(payload), null);
    } catch (JsonProcessingException e) {
      return new Content(
          EMPTY,
          "channel %s brings %s, which cannot be rendered as JSON: %s"
              .formatted(channel, payload.getClass().getName(), e.getOriginalMessage()));
    }
  }

  private MessageAttributes attributes(Message<?> message) {
    return readers.stream()
        .flatMap(reader -> reader.read(message).stream())
        .findFirst()
        .or(() -> message.getMetadata(MessageAttributes.class))
        .orElse(NONE);
  }

  /** With the key where the protocol has it, so that a parked message keeps it. */
  private Map<String, String> headers(MessageAttributes attributes) {
    Map<String, String> headers = new HashMap<>(attributes.headers());
    headers.remove(MessageHeaders.IDEMPOTENCY_KEY);
    key.of(attributes).ifPresent(value -> headers.put(MessageHeaders.IDEMPOTENCY_KEY, value));
    headers.putIfAbsent(MessageHeaders.IDEMPOTENCY_SCOPE, "channel/" + channel);
    return headers;
  }

  /** Connectors are asked for bytes; one that makes objects of them has them rendered again. */
  private byte[] bytes(Object payload) throws JsonProcessingException {
    return switch (payload) {
      case byte[] bytes -> bytes;
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      case Buffer buffer -> buffer.getBytes();
      case io.vertx.core.json.JsonObject object -> object.toBuffer().getBytes();
      case io.vertx.core.json.JsonArray array -> array.toBuffer().getBytes();
      default -> json.writeValueAsBytes(payload);
    };
  }
}
