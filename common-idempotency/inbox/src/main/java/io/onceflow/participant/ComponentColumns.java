package io.onceflow.participant;

import io.onceflow.core.internal.StepKey;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A component of a record and the columns that hold it: two for a {@link CallKey}, else one.
 *
 * @param reader reads the component's value from the current row
 */
record ComponentColumns(Class<?> type, Method accessor, List<Column> columns, Reader reader) {

  /**
   * One column.
   *
   * @param value of the component's value, which is not null
   */
  record Column(String name, String sqlType, Function<Object, Object> value) {}

  /** Reads a value. */
  @FunctionalInterface
  interface Reader {
    @Nullable Object of(ResultSet row) throws SQLException;
  }

  static ComponentColumns of(RecordComponent component) {
    Class<?> type = component.getType();
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    String name = snakeCase(component.getName());
    if (type == CallKey.class) {
      return new ComponentColumns(
          type,
          accessor,
          List.of(
              new Column("scope", "text", key -> ((CallKey) key).scope()),
              new Column("step_key", "text", key -> ((CallKey) key).step().toString())),
          row -> new CallKey(row.getString("scope"), StepKey.parse(row.getString("step_key"))));
    }
    if (type.isEnum()) {
      return one(
          accessor, new Column(name, "text", it -> ((Enum<?>) it).name()), enumOf(type, name));
    }
    String sqlType = sqlType(component);
    return one(accessor, new Column(name, sqlType, it -> it), readerOf(type, name));
  }

  private static ComponentColumns one(Method accessor, Column column, Reader reader) {
    return new ComponentColumns(accessor.getReturnType(), accessor, List.of(column), reader);
  }

  private static String sqlType(RecordComponent component) {
    return switch (component.getType().getName()) {
      case "java.util.UUID" -> "uuid";
      case "java.lang.String" -> "text";
      case "long" -> "bigint";
      case "int" -> "integer";
      case "boolean" -> "boolean";
      case "java.time.Instant" -> "timestamptz";
      default ->
          throw new IllegalArgumentException(
              "component %s of %s is of no type that a RecordTable has a column for"
                  .formatted(component, component.getDeclaringRecord().getName()));
    };
  }

  private static Reader readerOf(Class<?> type, String name) {
    if (type == Instant.class) {
      return row -> {
        OffsetDateTime time = row.getObject(name, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
      };
    }
    Class<?> boxed = MethodType.methodType(type).wrap().returnType();
    return row -> row.getObject(name, boxed);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Reader enumOf(Class<?> type, String name) {
    return row -> {
      String text = row.getString(name);
      return text == null ? null : Enum.valueOf((Class) type, text);
    };
  }

  /** The component's value in a row. */
  @Nullable Object valueIn(Record row) {
    try {
      return accessor.invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("%s of %s".formatted(accessor.getName(), row), e);
    }
  }

  /** The value of one of its columns in a row. */
  @Nullable Object valueIn(Record row, Column column) {
    Object value = valueIn(row);
    return value == null ? null : column.value().apply(value);
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
  }
}
