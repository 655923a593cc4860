package io.onceflow.systemtests;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An AMQP message, as it was seen or as it is to be sent. */
public record Message(String exchange, String routingKey, BasicProperties properties, byte[] body) {

  public static final String COMMANDS = "onceflow.commands";
  public static final String REPLIES = "onceflow.replies";

  private static final String KEY = "x-idempotency-key";
  private static final String SCOPE = "x-idempotency-scope";
  private static final String EXPIRES_AT = "x-expires-at";

  /** A valid message of an unknown sender, under a new key. */
  public static Message of(String exchange, String routingKey, String type, String payload) {
    BasicProperties properties =
        new BasicProperties.Builder()
            .messageId(UUID.randomUUID().toString())
            .type(type)
            .contentType("application/json")
            .deliveryMode(2)
            .correlationId(UUID.randomUUID().toString())
            .headers(
                Map.of(
                    KEY,
                    UUID.randomUUID().toString(),
                    SCOPE,
                    "nobody-" + UUID.randomUUID(),
                    "x-message-version",
                    "1"))
            .build();
    return new Message(exchange, routingKey, properties, bytes(payload));
  }

  public String type() {
    return properties.getType();
  }

  public String id() {
    return properties.getMessageId();
  }

  public String correlationId() {
    return properties.getCorrelationId();
  }

  public String payload() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Whose it is, or null if it does not say. */
  public @Nullable String scope() {
    Object scope = properties.getHeaders().get(SCOPE);
    return scope == null ? null : scope.toString();
  }

  /** Another message about the same: of the same sender, under the same key, with its own id. */
  public Message followedBy(String routingKey, String type, String payload) {
    return new Message(exchange, routingKey, properties, bytes(payload))
        .withType(type)
        .withId(UUID.randomUUID().toString());
  }

  Message withPayload(String payload) {
    return new Message(exchange, routingKey, properties, bytes(payload));
  }

  Message withType(String type) {
    return with(properties.builder().type(type).build());
  }

  Message withId(String id) {
    return with(properties.builder().messageId(id).build());
  }

  /**
   * @param routingKey where the answer goes, on {@link #REPLIES}
   */
  public Message withReplyTo(String routingKey) {
    return with(properties.builder().replyTo(routingKey).build());
  }

  /** Wanted until this moment only. */
  Message withExpiresAt(Instant moment) {
    return withHeader(EXPIRES_AT, moment.toString());
  }

  Message withoutType() {
    return with(properties.builder().type(null).build());
  }

  public Message withKey(String key) {
    return withHeader(KEY, key);
  }

  public Message withScope(String scope) {
    return withHeader(SCOPE, scope);
  }

  Message withoutKey() {
    return withHeader(KEY, null);
  }

  Message withoutScope() {
    return withHeader(SCOPE, null);
  }

  Message withVersion(String version) {
    return withHeader("x-message-version", version);
  }

  private Message withHeader(String name, @Nullable String value) {
    Map<String, Object> headers = new HashMap<>(properties.getHeaders());
    if (value == null) {
      headers.remove(name);
    } else {
      headers.put(name, value);
    }
    return with(properties.builder().headers(headers).build());
  }

  private Message with(BasicProperties other) {
    return new Message(exchange, routingKey, other, body);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
