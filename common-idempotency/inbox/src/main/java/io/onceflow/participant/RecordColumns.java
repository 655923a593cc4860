package io.onceflow.participant;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of a table, one or two for each component of a record.
 *
 * @param <S> the record
 */
final class RecordColumns<S extends Record> {

  private final Class<S> type;
  private final List<ComponentColumns> components;
  private final Constructor<S> constructor;
  private final ComponentColumns id;
  private final ComponentColumns key;

  /**
   * @throws IllegalArgumentException if the record cannot be a row
   */
  RecordColumns(Class<S> type) {
    this.type = type;
    this.components = Arrays.stream(type.getRecordComponents()).map(ComponentColumns::of).toList();
    this.constructor = constructor(type);
    this.id =
        only("UUID id", it -> it.type() == UUID.class && it.accessor().getName().equals("id"));
    this.key = only("of type CallKey", it -> it.type() == CallKey.class);
  }

  private ComponentColumns only(String what, Predicate<ComponentColumns> is) {
    List<ComponentColumns> found = components.stream().filter(is).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%s has %d components %s; the rows of a RecordTable have one"
              .formatted(type.getName(), found.size(), what));
    }
    return found.getFirst();
  }

  private static <S extends Record> Constructor<S> constructor(Class<S> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<S> constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  /** All columns, for a select list. */
  String names() {
    return columns().map(ComponentColumns.Column::name).collect(Collectors.joining(", "));
  }

  /** An array for each column. */
  String parameters() {
    return columns()
        .map(column -> "?::" + column.sqlType() + "[]")
        .collect(Collectors.joining(", "));
  }

  private Stream<ComponentColumns.Column> columns() {
    return components.stream().flatMap(component -> component.columns().stream());
  }

  /**
   * @throws IllegalArgumentException if there is no such column
   */
  void require(String column) {
    if (columns().noneMatch(it -> it.name().equals(column))) {
      throw new IllegalArgumentException(
          "%s has no component for the column %s".formatted(type.getName(), column));
    }
  }

  /** Sets the {@link #parameters}. */
  void set(Connection connection, PreparedStatement statement, Collection<S> rows)
      throws SQLException {
    int next = 1;
    for (ComponentColumns component : components) {
      for (ComponentColumns.Column column : component.columns()) {
        Object[] values = rows.stream().map(row -> component.valueIn(row, column)).toArray();
        statement.setArray(next++, connection.createArrayOf(column.sqlType(), values));
      }
    }
  }

  /** The current row. */
  S read(ResultSet row) throws SQLException {
    Object[] arguments = new Object[components.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = components.get(i).reader().of(row);
    }
    try {
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a row of %s is none".formatted(type.getName()), e);
    }
  }

  /** The row's primary key. */
  UUID id(S row) {
    return (UUID) Objects.requireNonNull(id.valueIn(row));
  }

  /** The step that wrote the row. */
  CallKey key(S row) {
    return (CallKey) Objects.requireNonNull(key.valueIn(row));
  }
}
