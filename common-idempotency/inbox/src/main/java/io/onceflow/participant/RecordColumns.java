package io.onceflow.participant;

import io.onceflow.core.internal.StepKey;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql.Row;
import io.onceflow.sql.Sql.RowReader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table: one for each component of a record, two for the one of type {@link
 * CallKey}. All that is found by reflection is found once.
 *
 * @param <S> the record
 */
final class RecordColumns<S extends Record> {

  private final Class<S> type;
  private final List<Mapped<S>> columns = new ArrayList<>();
  private final List<RowReader<? extends @Nullable Object>> readers = new ArrayList<>();
  private final MethodHandle constructor;
  private final Function<S, @Nullable Object> id;
  private final Function<S, @Nullable Object> key;

  /** A column and the value of a row in it. */
  private record Mapped<S>(String name, Class<?> type, Function<S, @Nullable Object> value) {}

  /**
   * @throws IllegalArgumentException if the record cannot be a row
   */
  RecordColumns(Class<S> type) {
    this.type = type;
    this.id = only("UUID id", it -> it.getType() == UUID.class && it.getName().equals("id"));
    this.key = only("of type CallKey", it -> it.getType() == CallKey.class);
    RecordComponent[] components = type.getRecordComponents();
    Arrays.stream(components).forEach(this::map);
    this.constructor = constructor(type, components);
  }

  private Function<S, @Nullable Object> only(String what, Predicate<RecordComponent> is) {
    List<RecordComponent> found = Arrays.stream(type.getRecordComponents()).filter(is).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%s has %s components %s; the rows of a RecordTable have one"
              .formatted(type.getName(), found.size(), what));
    }
    return accessor(found.getFirst());
  }

  private void map(RecordComponent component) {
    if (component.getType() == CallKey.class) {
      columns.add(new Mapped<>("scope", String.class, row -> key(row).scope()));
      columns.add(new Mapped<>("step_key", String.class, row -> key(row).step().toString()));
      readers.add(row -> new CallKey(row.text("scope"), StepKey.parse(row.text("step_key"))));
    } else {
      requireType(component);
      String name =
          component.getName().replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
      columns.add(new Mapped<>(name, component.getType(), accessor(component)));
      readers.add(row -> row.value(name, component.getType()));
    }
  }

  private static void requireType(RecordComponent component) {
    try {
      Column.sqlType(component.getType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "component %s of %s has no column: %s"
              .formatted(component, component.getDeclaringRecord().getName(), e.getMessage()),
          e);
    }
  }

  private static <S> Function<S, @Nullable Object> accessor(RecordComponent component) {
    component.getAccessor().setAccessible(true);
    try {
      MethodHandle accessor =
          MethodHandles.lookup()
              .unreflect(component.getAccessor())
              .asType(MethodType.methodType(Object.class, Object.class));
      return row -> {
        try {
          return accessor.invoke(row);
        } catch (Throwable e) {
          throw new IllegalStateException("%s of %s".formatted(component.getName(), row), e);
        }
      };
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(component + " was made accessible", e);
    }
  }

  private static MethodHandle constructor(Class<?> type, RecordComponent... components) {
    Class<?>[] parameters =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      var constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return MethodHandles.lookup()
          .unreflectConstructor(constructor)
          .asSpreader(Object[].class, parameters.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  /** All columns, for a select list. */
  String names() {
    return columns.stream().map(Mapped::name).collect(Collectors.joining(", "));
  }

  /** An array for each column. */
  String parameters() {
    return columns.stream()
        .map(column -> "?::" + Column.sqlType(column.type()) + "[]")
        .collect(Collectors.joining(", "));
  }

  /**
   * @throws IllegalArgumentException if there is no such column
   */
  void require(String column) {
    if (columns.stream().noneMatch(it -> it.name().equals(column))) {
      throw new IllegalArgumentException(
          "%s has no component for the column %s".formatted(type.getName(), column));
    }
  }

  /** The arguments for the {@link #parameters}. */
  Object[] values(Collection<S> rows) {
    return columns.stream().map(column -> Column.of(column.type(), rows, column.value())).toArray();
  }

  S read(Row row) throws SQLException {
    Object[] arguments = new Object[readers.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = readers.get(i).read(row);
    }
    try {
      return type.cast(constructor.invoke(arguments));
    } catch (Throwable e) {
      throw new IllegalStateException("a row of %s is none".formatted(type.getName()), e);
    }
  }

  /** The row's primary key. */
  UUID id(S row) {
    return (UUID) Objects.requireNonNull(id.apply(row));
  }

  /** The step that wrote the row. */
  CallKey key(S row) {
    return (CallKey) Objects.requireNonNull(key.apply(row));
  }
}
