package io.onceflow.outbox.internal;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.sql.Column.JsonColumn;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code outbox_message.headers}. Others than this application may write rows, and JSON that the
 * column takes need not be a map of strings.
 */
public final class HeadersColumn {

  private final JsonColumn<Map<String, String>> column;

  public HeadersColumn(ObjectMapper json) {
    column = new JsonColumn<>("outbox_message.headers", json, new TypeReference<>() {});
  }

  /** The text of a message's headers. */
  String write(Map<String, String> headers) {
    return column.write(headers);
  }

  /**
   * The headers of a text.
   *
   * @throws IllegalStateException when it is no map of strings: also when it is a null, or has one,
   *     which no message can have
   */
  public Map<String, String> read(String text) {
    @Nullable Map<String, String> headers = column.read(text);
    if (headers == null || headers.containsValue(null)) {
      throw new IllegalStateException("outbox_message.headers holds a null");
    }
    return headers;
  }
}
