package io.onceflow.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One column of many rows, as an array: the parameter that {@code unnest} and {@code = ANY} take.
 */
public final class Column {

  private static final Type UUIDS = new Type("uuid", UUID[]::new);
  private static final Type TEXTS = new Type("text", String[]::new);
  private static final Type INTEGERS = new Type("int4", Integer[]::new);
  private static final Type BIGINTS = new Type("int8", Long[]::new);
  private static final Type BOOLEANS = new Type("bool", Boolean[]::new);
  private static final Type TIMES = new Type("timestamptz", Instant[]::new);

  private static final Map<Class<?>, Type> TYPES =
      Map.of(
          UUID.class, UUIDS,
          String.class, TEXTS,
          int.class, INTEGERS,
          long.class, BIGINTS,
          boolean.class, BOOLEANS,
          Instant.class, TIMES);

  private final String type;
  private final Object[] values;

  private Column(String type, Object[] values) {
    this.type = type;
    this.values = values;
  }

  /**
   * An SQL type.
   *
   * @param array of the class that the driver sends in binary form where it can; of an array of
   *     {@code Object} it would write out every value as text and escape it
   */
  private record Type(String name, IntFunction<Object[]> array) {

    <T> Column of(Collection<T> rows, Function<? super T, ? extends @Nullable Object> value) {
      return new Column(name, rows.stream().map(value).toArray(array));
    }
  }

  /**
   * Each row's value.
   *
   * @param type of the values: an enum, or one for which there is an {@link #sqlType}
   */
  public static <T> Column of(
      Class<?> type, Collection<T> rows, Function<? super T, ? extends @Nullable Object> value) {
    return type.isEnum()
        ? names(rows, row -> (Enum<?>) value.apply(row))
        : type(type).of(rows, value);
  }

  /**
   * The SQL type of values of a Java type.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static String sqlType(Class<?> type) {
    return type.isEnum() ? TEXTS.name() : type(type).name();
  }

  private static Type type(Class<?> type) {
    Type found = TYPES.get(type);
    if (found == null) {
      throw new IllegalArgumentException("there is no SQL type for " + type.getName());
    }
    return found;
  }

  /** Ids. */
  public static Column uuids(Collection<UUID> ids) {
    return UUIDS.of(ids, id -> id);
  }

  /** Each row's uuid. */
  public static <T> Column uuids(Collection<T> rows, Function<T, @Nullable UUID> value) {
    return UUIDS.of(rows, value);
  }

  /** Texts. */
  public static Column texts(Collection<String> texts) {
    return TEXTS.of(texts, text -> text);
  }

  /** Each row's text. */
  public static <T> Column texts(Collection<T> rows, Function<T, @Nullable String> value) {
    return TEXTS.of(rows, value);
  }

  /** The name of each row's constant. */
  public static <T> Column names(Collection<T> rows, Function<T, @Nullable Enum<?>> value) {
    return texts(
        rows,
        row -> {
          Enum<?> constant = value.apply(row);
          return constant == null ? null : constant.name();
        });
  }

  /** Each row's int. */
  public static <T> Column integers(Collection<T> rows, Function<T, @Nullable Integer> value) {
    return INTEGERS.of(rows, value);
  }

  /** Each row's bigint. */
  public static <T> Column bigints(Collection<T> rows, Function<T, @Nullable Long> value) {
    return BIGINTS.of(rows, value);
  }

  /** Each row's bytea. */
  public static <T> Column bytes(Collection<T> rows, Function<T, byte[]> value) {
    return new Column("bytea", rows.stream().map(value).toArray(byte[][]::new));
  }

  /** Each row's timestamptz. */
  public static <T> Column times(Collection<T> rows, Function<T, @Nullable Instant> value) {
    return TIMES.of(rows, value);
  }

  Array on(Connection connection) throws SQLException {
    return connection.createArrayOf(type, values);
  }

  /** Values that a column keeps as JSON. */
  public static final class JsonColumn<T> {

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
        // Not a failure of the database, which would be waited for. Jackson's message is left out:
        // it
        // quotes the content, which may be confidential.
        throw new IllegalStateException(
            name + " holds no such value: " + e.getClass().getSimpleName());
      }
    }
  }
}
