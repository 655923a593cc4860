package io.onceflow.order.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever differs is looked up by its reference, in tables of any size. */
class OrderBookLookUpsTest {

  private static final DataSource DATABASE = TestPostgres.database("order_books", "db/migration");

  @ParameterizedTest
  @ValueSource(strings = {"orders-and-payments", "orders-and-shipments"})
  void areLookedUpByAnIndex(String book) throws SQLException, IOException {
    assertThat(plan(book)).contains("Index Cond").doesNotContain("Seq Scan");
  }

  private static String plan(String book) throws SQLException, IOException {
    String lookUp =
        "EXPLAIN SELECT * FROM (%s) AS book WHERE reference = '0199c3a4-6020-7d11-8c44-52a1b0c9d302'"
            .formatted(text(book));
    try (Connection connection = DATABASE.getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, "SET LOCAL enable_seqscan = off"); // the tables are empty
      return String.join("\n", Sql.query(connection, lookUp, row -> row.text("QUERY PLAN")));
    }
  }

  private static String text(String book) throws IOException {
    String file = "/reconciliation/%s.sql".formatted(book);
    try (InputStream in = OrderBookLookUpsTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8);
    }
  }
}
