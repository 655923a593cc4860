package io.onceflow.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One column of many rows, as an array: the parameter that {@code unnest} and {@code = ANY} take.
 */
public final class Column {

  private static final Map<Class<?>, String> TYPES =
      Map.of(
          UUID.class, "uuid",
          String.class, "text",
          int.class, "int4",
          long.class, "int8",
          boolean.class, "bool",
          Instant.class, "timestamptz");

  private final String type;
  private final Object[] values;

  private Column(String type, Object[] values) {
    this.type = type;
    this.values = values;
  }

  private static <T> Column of(
      String type, Collection<T> rows, Function<? super T, ? extends @Nullable Object> value) {
    return new Column(type, rows.stream().map(value).toArray());
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
        : of(sqlType(type), rows, value);
  }

  /**
   * The SQL type of values of a Java type.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static String sqlType(Class<?> type) {
    String found = type.isEnum() ? "text" : TYPES.get(type);
    if (found == null) {
      throw new IllegalArgumentException("there is no SQL type for " + type.getName());
    }
    return found;
  }

  /** Ids. */
  public static Column uuids(Collection<UUID> ids) {
    return new Column("uuid", ids.toArray());
  }

  /** Each row's uuid. */
  public static <T> Column uuids(Collection<T> rows, Function<T, @Nullable UUID> value) {
    return of("uuid", rows, value);
  }

  /** Texts. */
  public static Column texts(Collection<String> texts) {
    return new Column("text", texts.toArray());
  }

  /** Each row's text. */
  public static <T> Column texts(Collection<T> rows, Function<T, @Nullable String> value) {
    return of("text", rows, value);
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
    return of("int4", rows, value);
  }

  /** Each row's bigint. */
  public static <T> Column bigints(Collection<T> rows, Function<T, @Nullable Long> value) {
    return of("int8", rows, value);
  }

  /** Each row's bytea. */
  public static <T> Column bytes(Collection<T> rows, Function<T, byte[]> value) {
    return new Column("bytea", rows.stream().map(value).toArray(byte[][]::new));
  }

  /** Each row's timestamptz. */
  public static <T> Column times(Collection<T> rows, Function<T, @Nullable Instant> value) {
    return of("timestamptz", rows, value);
  }

  Array on(Connection connection) throws SQLException {
    return connection.createArrayOf(type, values);
  }
}
