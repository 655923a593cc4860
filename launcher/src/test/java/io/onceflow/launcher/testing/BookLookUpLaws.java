package io.onceflow.launcher.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What differs between two books is looked up by its reference, in tables of any size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BookLookUpLaws {

  private final DataSource database;
  private final String[] books;

  /**
   * @param database with the service's tables
   * @param books the names of its queries, in the folder {@code reconciliation} of its resources
   */
  protected BookLookUpLaws(DataSource database, String... books) {
    this.database = database;
    this.books = books;
  }

  Stream<String> books() {
    return Stream.of(books);
  }

  @ParameterizedTest
  @MethodSource("books")
  void anIndexIsUsed(String book) throws SQLException, IOException {
    assertThat(plan(book)).contains("Index Cond").doesNotContain("Seq Scan");
  }

  private String plan(String book) throws SQLException, IOException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off"); // the tables are empty
      try (ResultSet lines =
          statement.executeQuery(
              "EXPLAIN SELECT * FROM (%s) AS book WHERE reference = '0199c3a4-6020-7d11-8c44-52a1b0c9d302'"
                  .formatted(text(book)))) {
        StringBuilder plan = new StringBuilder();
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
        return plan.toString();
      } finally {
        statement.execute("RESET enable_seqscan");
      }
    }
  }

  private String text(String book) throws IOException {
    String file = "/reconciliation/%s.sql".formatted(book);
    try (InputStream in = getClass().getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8);
    }
  }
}
