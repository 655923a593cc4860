package io.onceflow.sql;

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
