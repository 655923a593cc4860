package io.onceflow.messaging.once.internal;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.Once;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the idempotency key of a channel's messages is. */
record KeySource(String name, Function<MessageAttributes, @Nullable String> read) {

  private static final Map<String, Function<MessageAttributes, @Nullable String>> KNOWN =
      Map.of(
          Once.RECORD_KEY, MessageAttributes::recordKey,
          Once.MESSAGE_ID, MessageAttributes::messageId,
          Once.POSITION, MessageAttributes::position);

  /**
   * @throws IllegalArgumentException when there is no such source
   */
  static KeySource of(String name) {
    String header = name.startsWith(Once.HEADER) ? name.substring(Once.HEADER.length()) : "";
    if (!header.isBlank()) {
      return new KeySource(name, attributes -> attributes.headers().get(header));
    }
    Function<MessageAttributes, @Nullable String> known = KNOWN.get(name);
    if (known == null) {
      throw new IllegalArgumentException(
          "the key is read from \"%s\"; it is one of %s, or \"%s\" and the name of a header"
              .formatted(name, KNOWN.keySet(), Once.HEADER));
    }
    return new KeySource(name, known);
  }

  Optional<String> of(MessageAttributes attributes) {
    return Optional.ofNullable(read.apply(attributes));
  }
}
