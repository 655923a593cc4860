package io.onceflow.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;

/** Values that a column keeps as JSON. */
public final class JsonColumn<T> {

  private final String name;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  /**
   * @param name for messages, such as {@code orders.items}
   * @param type of the values
   */
  public JsonColumn(String name, ObjectMapper json, TypeReference<T> type) {
    this.name = name;
    this.reader = json.readerFor(type);
    this.writer = json.writerFor(type);
  }

  /** The text of a value. */
  public String write(T value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(value.getClass() + " cannot be written as JSON", e);
    }
  }

  /** The value of a text. */
  public T read(String text) {
    try {
      return reader.readValue(text);
    } catch (JsonProcessingException e) {
      // Not a failure of the database, which would be waited for. Jackson's message is left out: it
      // quotes the content, which may be confidential.
      throw new IllegalStateException(
          name + " holds no such value: " + e.getClass().getSimpleName());
    }
  }
}
