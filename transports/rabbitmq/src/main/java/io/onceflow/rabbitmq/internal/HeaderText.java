package io.onceflow.rabbitmq.internal;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The headers of an AMQP message, which have types of their own, as text. */
public final class HeaderText {

  private HeaderText() {}

  /**
   * Those that have a value, in a map of the caller's own. Some clients send a text as bytes. Java
   * would name such an array by its identity, which differs at each delivery: a key that comes so
   * would be another one each time.
   */
  public static Map<String, String> of(Map<String, Object> headers) {
    Map<String, String> texts = new HashMap<>();
    headers.forEach(
        (name, value) -> {
          if (value != null) {
            texts.put(name, text(value));
          }
        });
    return texts;
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : value.toString();
  }
}
