package io.onceflow.idempotency.internal.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;

/** Stores the headers of an answer as JSON, in the order in which they were set. */
public final class ResponseHeaders {

  private static final TypeReference<Map<String, List<String>>> HEADERS = new TypeReference<>() {};

  /** Not the application's mapper, whose configuration must not change the stored form. */
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private ResponseHeaders() {}

  public static String write(Map<String, List<String>> headers) {
    try {
      return JSON.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  /**
   * @throws IllegalStateException if the text is no map of strings, so not written by the guard
   */
  public static Map<String, List<String>> read(String text) {
    try {
      return JSON.readValue(text, HEADERS);
    } catch (JsonProcessingException e) {
      // Without Jackson's message, which quotes the content.
      throw new IllegalStateException("response_headers holds no map of strings");
    }
  }
}
