package io.onceflow.sql;

import java.lang.invoke.MethodType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The row that a query is at; its columns by their names. */
public final class Row {

  private final ResultSet cells;

  Row(ResultSet cells) {
    this.cells = cells;
  }

  /**
   * A value of the type; null where the column is.
   *
   * @param type an enum, or one for which there is a {@link Column#sqlType}
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public @Nullable Object value(String column, Class<?> type) throws SQLException {
    if (type.isEnum()) {
      return constant(column, (Class) type);
    }
    return type == Instant.class
        ? time(column)
        : cells.getObject(column, MethodType.methodType(type).wrap().returnType());
  }

  /** A uuid; null where the column is. */
  public @Nullable UUID uuid(String column) throws SQLException {
    return cells.getObject(column, UUID.class);
  }

  /** A text; null where the column is. */
  public @Nullable String text(String column) throws SQLException {
    return cells.getString(column);
  }

  /** An int. */
  public int integer(String column) throws SQLException {
    return cells.getInt(column);
  }

  /** A double precision. */
  public double real(String column) throws SQLException {
    return cells.getDouble(column);
  }

  /** A boolean. */
  public boolean truth(String column) throws SQLException {
    return cells.getBoolean(column);
  }

  /** A bigint; null where the column is. */
  public @Nullable Long bigint(String column) throws SQLException {
    return cells.getObject(column, Long.class);
  }

  /** A bytea; null where the column is. */
  public byte @Nullable [] bytes(String column) throws SQLException {
    return cells.getBytes(column);
  }

  /** A timestamptz; null where the column is. */
  public @Nullable Instant time(String column) throws SQLException {
    OffsetDateTime time = cells.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** The constant that a text names; null where the column is. */
  public <E extends Enum<E>> @Nullable E constant(String column, Class<E> type)
      throws SQLException {
    String name = cells.getString(column);
    return name == null ? null : Enum.valueOf(type, name);
  }
}
