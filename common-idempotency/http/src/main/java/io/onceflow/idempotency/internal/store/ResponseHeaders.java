package io.onceflow.idempotency.internal.store;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.sql.Column.JsonColumn;
import java.util.List;
import java.util.Map;

/** Stores the headers of an answer as JSON, in the order in which they were set. */
public final class ResponseHeaders {

  /** Not the application's mapper, whose configuration must not change the stored form. */
  private static final JsonColumn<Map<String, List<String>>> JSON =
      new JsonColumn<>("response_headers", JsonMapper.builder().build(), new TypeReference<>() {});

  private ResponseHeaders() {}

  public static String write(Map<String, List<String>> headers) {
    return JSON.write(headers);
  }

  /**
   * @throws IllegalStateException if the text is no map of strings, so not written by the guard
   */
  public static Map<String, List<String>> read(String text) {
    return JSON.read(text);
  }
}
