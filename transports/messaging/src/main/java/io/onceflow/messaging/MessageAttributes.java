package io.onceflow.messaging;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a connector says about a message besides its payload. A method annotated with {@link Once}
 * that takes {@link org.eclipse.microprofile.reactive.messaging.Message}s finds it in their
 * metadata, also when a parked message is redriven; an {@link OutboxEmitter} takes it from there.
 *
 * @param headers as text
 * @param messageId null where the message has none; likewise the others
 * @param type names the payload's shape, such as {@code OrderPlaced}
 * @param recordKey the key of the record
 * @param position where the message lies, such as {@code orders-0-17}
 */
public record MessageAttributes(
    Map<String, String> headers,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String recordKey,
    @Nullable String position) {

  /** For a message that is to be sent by an {@link OutboxEmitter}: nothing but headers. */
  public static MessageAttributes withHeaders(Map<String, String> headers) {
    return new MessageAttributes(headers, null, null, null, null);
  }

  /** The same, with the key of the record. */
  public MessageAttributes withKey(String key) {
    return new MessageAttributes(headers, messageId, type, key, position);
  }

  /** Copies the headers. */
  public MessageAttributes {
    headers = Map.copyOf(headers);
  }
}
