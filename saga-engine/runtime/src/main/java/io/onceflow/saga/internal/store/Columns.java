package io.onceflow.saga.internal.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds rows to a statement as the arrays that {@code unnest} takes: one parameter per column, in
 * the order of the calls.
 */
public final class Columns<T> {

  private final PreparedStatement statement;
  private final List<T> rows;
  private int bound;

  public Columns(PreparedStatement statement, List<T> rows) {
    this.statement = statement;
    this.rows = rows;
  }

  public Columns<T> uuid(Function<T, UUID> column) throws SQLException {
    return bind("uuid", rows.stream().map(column).toArray());
  }

  Columns<T> text(Function<T, @Nullable String> column) throws SQLException {
    return bind("text", rows.stream().map(column).toArray());
  }

  Columns<T> integer(Function<T, Integer> column) throws SQLException {
    return bind("int4", rows.stream().map(column).toArray());
  }

  public Columns<T> bigint(Function<T, Long> column) throws SQLException {
    return bind("int8", rows.stream().map(column).toArray());
  }

  Columns<T> bool(Function<T, Boolean> column) throws SQLException {
    return bind("bool", rows.stream().map(column).toArray());
  }

  Columns<T> timestamp(Function<T, @Nullable Instant> column) throws SQLException {
    return bind(
        "timestamptz",
        rows.stream().map(column).map(at -> at == null ? null : at.toString()).toArray());
  }

  private Columns<T> bind(String type, Object[] values) throws SQLException {
    statement.setArray(++bound, statement.getConnection().createArrayOf(type, values));
    return this;
  }
}
