package io.onceflow.reconciliation.internal.book;

import static io.onceflow.reconciliation.internal.TestReconciliation.DATABASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.book.SqlBook.Line;
import io.onceflow.sql.Sql;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A book whose pages follow the time, and its numbers do not. */
class BookByTimeTest {

  private static final Window DAY = Window.of(LocalDate.of(2025, 3, 14));

  /** An hour after the other. */
  private static final int BEFORE = 20_000;

  private static final String SELECT =
      """
      SELECT id, 'ch_' || id AS reference, 'CHARGED' AS state, 700::bigint AS amount, 'EUR' AS currency, at,
             NULL::timestamptz AS changed_at, NULL::text AS application, NULL::text AS evidence
      FROM   charge_at_a_time
      """;

  private static final String READ =
      """
      SELECT pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid) AS rows
      FROM   pg_class
      WHERE  relname = 'charge_at_a_time'
      """;

  @BeforeAll
  static void fill() throws SQLException {
    drop();
    TestReconciliation.execute(
        """
        CREATE TABLE charge_at_a_time (id bigint PRIMARY KEY, at timestamptz NOT NULL);
        INSERT INTO charge_at_a_time
        SELECT n, '2025-03-13T23:00:00Z'::timestamptz - (%1$d - n) * interval '1 hour'
        FROM   generate_series(1, %1$d) AS n;
        INSERT INTO charge_at_a_time VALUES
          (30001, '2025-03-14T12:00:00.000001Z'), (30002, '2025-03-14T12:00:00.000001Z'),
          (30003, '2025-03-14T00:00:00Z'), (30004, '2025-03-15T00:00:00Z'), (30005, '2025-03-14T12:00:00Z');
        CREATE INDEX ON charge_at_a_time (at, id);
        ANALYZE charge_at_a_time
        """
            .formatted(BEFORE));
  }

  @AfterAll
  static void drop() throws SQLException {
    TestReconciliation.execute("DROP TABLE IF EXISTS charge_at_a_time");
  }

  @Test
  void isReadInTheOrderOfTimesPageByPage() throws Exception {
    SqlBook book = TestSqlBook.of(PageKey.TIME, SELECT);
    List<String> read = new ArrayList<>();
    @Nullable String cursor = null;
    List<Line> page;
    do {
      page = book.page(DAY, cursor, 1);
      page.forEach(line -> read.add(line.entry().reference()));
      cursor = page.isEmpty() ? null : page.getLast().cursor();
    } while (!page.isEmpty());

    assertThat(read).containsExactly("ch_30003", "ch_30005", "ch_30001", "ch_30002");
  }

  @Test
  void beginsWithTheWindow() throws Exception {
    List<BookEntry> read = new ArrayList<>();
    try (Connection connection = DATABASE.getConnection()) {
      connection.setAutoCommit(false);
      int before = rowsRead(connection);
      TestSqlBook.of(always(connection), PageKey.TIME, SELECT).read(DAY, read::add);

      assertThat(read).hasSize(4);
      assertThat(rowsRead(connection) - before).isLessThan(BEFORE / 100);
      connection.rollback();
    }
  }

  private static int rowsRead(Connection connection) throws SQLException {
    return Sql.query(connection, READ, row -> row.integer("rows")).getFirst();
  }

  /** PostgreSQL tells what one transaction has read. */
  private static DataSource always(Connection connection) {
    InvocationHandler kept =
        (proxy, method, arguments) ->
            method.getName().equals("close") ? null : method.invoke(connection, arguments);
    Object shown = proxy(Connection.class, kept);
    return proxy(DataSource.class, (proxy, method, arguments) -> shown);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void takesNoCursorOfAnotherBook() {
    SqlBook book = TestSqlBook.of(PageKey.TIME, SELECT);

    for (String cursor : List.of("7", "a_7", "7_a", "7_99999999999999999999", "")) {
      assertThatThrownBy(() -> book.page(DAY, cursor, 10))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
