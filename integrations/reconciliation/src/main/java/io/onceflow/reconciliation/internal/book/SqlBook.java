package io.onceflow.reconciliation.internal.book;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import io.onceflow.reconciliation.internal.ReconciliationConfig.QueryBook;
import io.onceflow.reconciliation.internal.ReconciliationConfig.ReferenceType;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A book that is a query, read page by page: no statement or transaction lasts long. */
public final class SqlBook implements Book {

  private static final int PAGE = 2_000;

  private static final String COLUMNS =
      "id, reference, state, amount, currency, at, changed_at, application, evidence";

  private static final String BY_UUID =
      """
      SELECT   %1$s
      FROM     (%2$s) AS book
      WHERE    id > ?
      AND      id < ?
      ORDER BY id
      LIMIT    ?
      """;

  private static final String BY_NUMBER =
      """
      SELECT   %1$s
      FROM     (%2$s) AS book
      WHERE    id > ?
      AND      at >= ?
      AND      at < ?
      ORDER BY id
      LIMIT    ?
      """;

  private static final String BY_TIME =
      """
      SELECT   %1$s
      FROM     (%2$s) AS book
      WHERE    (at, id) > (?, ?)
      AND      at < ?
      ORDER BY at, id
      LIMIT    ?
      """;

  private static final String BY_REFERENCE =
      """
      SELECT   %1$s
      FROM     (%2$s) AS book
      WHERE    reference = ?
      ORDER BY id
      LIMIT    10
      """;

  private static final Logger LOG = Logger.getLogger(SqlBook.class);

  private static final Pattern REFERENCE = Pattern.compile(BookEntry.REFERENCE);

  private final String name;
  private final DataSource database;
  private final String select;
  private final PageKey key;
  private final ReferenceType references;
  private final ObjectReader evidence;

  /**
   * @param select a query with the columns that the configuration describes
   * @param columns what its columns are
   */
  SqlBook(String name, DataSource database, String select, QueryBook columns, ObjectMapper json) {
    this.name = name;
    this.database = database;
    this.select = select;
    this.key = columns.pageKey();
    this.references = columns.referenceType();
    this.evidence = json.readerFor(new TypeReference<Map<String, String>>() {});
  }

  /**
   * An entry with its place in the book.
   *
   * @param cursor where the next page starts
   * @param entry null where the row has no reference of an entry
   */
  record Line(String cursor, @Nullable BookEntry entry) {

    private Stream<BookEntry> entries() {
      return Stream.ofNullable(entry);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void read(Window window, Consumer<BookEntry> entries)
      throws IOException, InterruptedException {
    String cursor = null;
    List<Line> page;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("the reading of " + name + " is given up");
      }
      page = page(window, cursor, PAGE);
      page.stream().flatMap(Line::entries).forEach(entries);
      cursor = page.isEmpty() ? null : page.getLast().cursor();
    } while (page.size() == PAGE);
  }

  /**
   * The entries of a window after a cursor.
   *
   * @throws IllegalArgumentException where the cursor is none
   */
  List<Line> page(Window window, @Nullable String cursor, int limit) throws IOException {
    return call(
        connection ->
            switch (key) {
              case UUID_V7 ->
                  Sql.query(
                      connection,
                      BY_UUID.formatted(COLUMNS, select),
                      this::read,
                      cursor == null
                          ? TimeOrderedId.lowest(window.from())
                          : UUID.fromString(cursor),
                      TimeOrderedId.lowest(window.to()),
                      limit);
              case NUMBER ->
                  Sql.query(
                      connection,
                      BY_NUMBER.formatted(COLUMNS, select),
                      this::read,
                      cursor == null ? Long.MIN_VALUE : Long.parseLong(cursor),
                      window.from(),
                      window.to(),
                      limit);
              case TIME -> pageByTime(connection, window, cursor, limit);
            });
  }

  private List<Line> pageByTime(
      Connection connection, Window window, @Nullable String cursor, int limit)
      throws SQLException {
    TimeCursor after = cursor == null ? TimeCursor.before(window.from()) : TimeCursor.of(cursor);
    return Sql.query(
        connection,
        BY_TIME.formatted(COLUMNS, select),
        this::read,
        after.at(),
        after.id(),
        window.to(),
        limit);
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException {
    @Nullable Object wanted = references == ReferenceType.UUID ? uuid(reference) : reference;
    if (wanted == null) {
      return List.of();
    }
    List<Line> found =
        call(
            connection ->
                Sql.query(connection, BY_REFERENCE.formatted(COLUMNS, select), this::read, wanted));
    return found.stream().flatMap(Line::entries).toList();
  }

  /** Null for what is none, and so in no book of them. */
  private static @Nullable UUID uuid(String reference) {
    try {
      return UUID.fromString(reference);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    List<T> on(Connection connection) throws SQLException;
  }

  private <T> List<T> call(Question<T> question) throws IOException {
    try (Connection connection = database.getConnection()) {
      return question.on(connection);
    } catch (SQLException e) {
      throw new IOException("the book %s cannot be read: %s".formatted(name, e.getMessage()), e);
    }
  }

  private Line read(Row row) throws SQLException {
    Instant at = requireNonNull(row.time("at"), "at");
    try {
      return line(row, at);
    } catch (IllegalArgumentException e) {
      throw new SQLException(e.getMessage(), e);
    }
  }

  private Line line(Row row, Instant at) throws SQLException {
    Instant changed = row.time("changed_at");
    String id = requireNonNull(row.text("id"), "id");
    String cursor = key == PageKey.TIME ? new TimeCursor(at, Long.parseLong(id)).text() : id;
    String reference = requireNonNull(row.text("reference"), "reference");
    if (!REFERENCE.matcher(reference).matches()) {
      // Such as a tracking code with a blank: it must not hide the others.
      LOG.warnf(
          "the entry %s of the book %s, made at %s, is not compared: its reference is not up to 200 visible ASCII characters",
          id, name, at);
      return new Line(cursor, null);
    }
    return new Line(
        cursor,
        new BookEntry(
            reference,
            requireNonNull(row.text("state"), "state"),
            row.bigint("amount"),
            row.text("currency"),
            at,
            changed == null ? at : changed,
            row.text("application"),
            evidence(row.text("evidence"))));
  }

  private Map<String, String> evidence(@Nullable String text) throws SQLException {
    try {
      return text == null ? Map.of() : evidence.readValue(text);
    } catch (JsonProcessingException e) {
      throw new SQLException("evidence is no JSON object of texts: " + e.getOriginalMessage(), e);
    }
  }
}
