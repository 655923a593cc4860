package io.onceflow.sql;

import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Runs a statement with its parameters. A parameter is a {@link Column} for an array, an {@link
 * Instant} for a timestamptz, an enum for its name, or what the driver takes.
 */
public final class Sql {

  /**
   * Ends {@code SELECT * FROM unnest(...)} where its rows are looked up one by one, so that
   * PostgreSQL keeps the plan. It expects ten rows of an array that it does not know, and fewer of
   * one with few elements: a plan for the latter seems cheaper each time, and is made again for
   * each execution, which takes longer than the execution. Of a bound that it does not know it
   * expects a tenth, so both plans cost the same.
   */
  public static final String WITH_ONE_PLAN = "LIMIT (SELECT 2147483647)";

  private Sql() {}

  /** Makes an object of a row. */
  @FunctionalInterface
  public interface RowReader<T extends @Nullable Object> {

    /** Reads the row that the query is at. */
    T read(Row row) throws SQLException;
  }

  /** A text as PostgreSQL can store it: it refuses a NUL, which becomes U+FFFD. */
  public static String storable(String text) {
    return text.replace('\0', '\ufffd');
  }

  /** Inserts, updates or deletes; returns how many rows. */
  public static int update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  /** As {@link #update}, with a plan as {@link #queryWithFreshPlan} says. */
  public static int updateWithFreshPlan(
      Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  /** Reads all rows. */
  public static <T extends @Nullable Object> List<T> query(
      Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return query(statement, reader, parameters);
    }
  }

  /**
   * Reads all rows with a plan that is made for this execution: for a table that is empty at one
   * moment and huge at the next. A plan that was kept from when it was empty reads all of it.
   */
  public static <T extends @Nullable Object> List<T> queryWithFreshPlan(
      Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      return query(statement, reader, parameters);
    }
  }

  private static <T extends @Nullable Object> List<T> query(
      PreparedStatement statement, RowReader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    bind(statement, parameters);
    try (ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      Row row = new Row(rows);
      while (rows.next()) {
        found.add(reader.read(row));
      }
      return found;
    }
  }

  /** Reads the only row, or none. */
  public static <T> Optional<T> find(
      Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
      throws SQLException {
    return query(connection, sql, reader, parameters).stream().findFirst();
  }

  private static void bind(PreparedStatement statement, @Nullable Object... parameters)
      throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      switch (parameters[i]) {
        case Column column -> statement.setArray(i + 1, column.on(statement.getConnection()));
        case Instant time -> statement.setObject(i + 1, time.atOffset(ZoneOffset.UTC));
        case Enum<?> constant -> statement.setString(i + 1, constant.name());
        case null -> statement.setObject(i + 1, null);
        case Object value -> statement.setObject(i + 1, value);
      }
    }
  }

  /** The row that a query is at; its columns by their names. */
  public static final class Row {

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
}
