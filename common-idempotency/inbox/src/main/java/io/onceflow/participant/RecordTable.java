package io.onceflow.participant;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A table whose rows are records, read and written in sets: one statement for a batch of steps. A
 * bean of a subclass keeps the rows of handlers that take an {@code Optional<S>} or a {@code
 * List<S>}, also of those that call out.
 *
 * <p>Each component of the record is a column of the same name in snake case; of the types {@link
 * UUID}, {@link String}, {@code long}, {@code int}, {@code boolean}, {@link java.time.Instant} and
 * enums, which are text. The component of type {@link CallKey} is the columns {@code scope} and
 * {@code step_key}: the step that wrote the row. The table has the primary key {@code id}, in the
 * order of which rows are read, and a unique index on the subject, {@code scope} and {@code
 * step_key}.
 *
 * @param <S> one row, with a component {@code UUID id} and one of type {@link CallKey}
 */
public abstract class RecordTable<S extends Record> implements ParticipantRepository<S> {

  private static final String LOAD =
      """
      SELECT {columns}
      FROM   {table}
      WHERE  {subject} = ANY (?::uuid[])
      ORDER  BY id
      FOR    NO KEY UPDATE            -- two sagas that change one row do so after each other
      """;

  private static final String FIND =
      """
      SELECT {columns}
      FROM   {table}
      WHERE  {column} = ?
      ORDER  BY id
      """;

  private static final String SAVE =
      """
      INSERT INTO {table} ({columns})
      SELECT {columns}
      FROM   unnest({parameters}) AS new ({columns})
      ORDER  BY {subject}             -- the same order everywhere: two batches cannot deadlock
      ON CONFLICT ({subject}, scope, step_key) DO UPDATE
      SET    {changes}
      WHERE  {table}.id = excluded.id -- another row of the step is not this one's successor
      """;

  private final RecordColumns<S> columns;
  private final String table;
  private final String load;
  private final String find;
  private final String save;

  /**
   * @param type the row
   * @param table its name
   * @param subject the column, or the expression, by which commands find rows; of {@link
   *     #subjectOf}
   * @param changing the columns that are updated when a row is saved again
   */
  protected RecordTable(Class<S> type, String table, String subject, String... changing) {
    this.columns = new RecordColumns<>(type);
    this.table = table;
    this.load = sql(LOAD, subject);
    this.find = sql(FIND, subject);
    this.save = sql(SAVE, subject).replace("{changes}", changes(changing));
  }

  private String sql(String sql, String subject) {
    return sql.replace("{columns}", columns.names())
        .replace("{parameters}", columns.parameters())
        .replace("{table}", table)
        .replace("{subject}", subject);
  }

  private static String changes(String... changing) {
    return Stream.of(changing)
        .map(column -> column + " = excluded." + column)
        .collect(Collectors.joining(", "));
  }

  /** The id of what the row is about, such as an order. */
  protected abstract UUID subjectOf(S row);

  @Override
  public Map<UUID, List<S>> load(Connection connection, Set<UUID> subjects) throws SQLException {
    return Sql.query(connection, load, columns::read, Column.uuids(subjects)).stream()
        .collect(Collectors.groupingBy(this::subjectOf));
  }

  /**
   * The rows that have this value in a column.
   *
   * @param column one of type {@code uuid}
   */
  public List<S> find(Connection connection, String column, UUID value) throws SQLException {
    columns.require(column);
    return Sql.query(connection, find.replace("{column}", column), columns::read, value);
  }

  /** The same, by a connection of its own. */
  public List<S> find(DataSource database, String column, UUID value) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return find(connection, column, value);
    }
  }

  /**
   * Inserts or updates.
   *
   * @throws IllegalStateException if a step has another row already; then only the log and the
   *     other system's records show what was done for this one
   */
  @Override
  public void save(Connection connection, Collection<S> rows) throws SQLException {
    Collection<S> latest = latestOfEach(rows);
    if (Sql.update(connection, save, columns.values(latest)) < latest.size()) {
      throw new IllegalStateException(
          "table %s has another row already of a step of one of %s"
              .formatted(table, latest.stream().map(this::subjectOf).toList()));
    }
  }

  @Override
  public boolean areComparable() {
    return true;
  }

  @Override
  public boolean wasWrittenBy(S row, String scope, StepKey step) {
    return columns.key(row).equals(new CallKey(scope, step));
  }

  /** One statement may touch a row once (SQLSTATE 21000). */
  private Collection<S> latestOfEach(Collection<S> rows) {
    Map<UUID, S> latest = new LinkedHashMap<>();
    rows.forEach(row -> latest.put(columns.id(row), row));
    return latest.values();
  }
}
