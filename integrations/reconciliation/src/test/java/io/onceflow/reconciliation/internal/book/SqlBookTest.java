package io.onceflow.reconciliation.internal.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import io.onceflow.reconciliation.internal.TestReconciliation;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query whose rows are no entries tells what is wrong with them. */
class SqlBookTest {

  private static final Window DAY = Window.of(LocalDate.of(2025, 3, 14));

  private static SqlBook book(String reference, String state) {
    String select =
        """
        SELECT 7::bigint AS id, '%s' AS reference, '%s' AS state, 700::bigint AS amount, 'EUR' AS currency,
               '2025-03-14T12:00:00Z'::timestamptz AS at, NULL::timestamptz AS changed_at,
               NULL::text AS application, NULL::text AS evidence
        """
            .formatted(reference, state);
    return TestSqlBook.of(PageKey.NUMBER, select);
  }

  @Test
  void hasTheEntriesOfItsQuery() throws Exception {
    assertThat(book("ch_1", "CHARGED").find("ch_1"))
        .singleElement()
        .satisfies(
            it -> assertThat(it.changedAt()).isEqualTo(Instant.parse("2025-03-14T12:00:00Z")));
  }

  /** That is so of each row: the query is wrong. */
  @Test
  void cannotBeReadWithAStateThatIsNone() {
    SqlBook book = book("ch_1", "charged");

    assertThatThrownBy(() -> book.page(DAY, null, 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the book charges cannot be read")
        .hasMessageContaining("the state 'charged' of ch_1");
    assertThatThrownBy(() -> book.find("ch_1")).isInstanceOf(IOException.class);
  }

  /** Before, the whole day could not be read for ever, as with a tracking code with a blank. */
  @ParameterizedTest
  @ValueSource(strings = {"", "EZ 1", "ä"})
  void hasAllOthersBesideAReferenceThatIsNone(String odd) throws Exception {
    String select =
        """
        SELECT n AS id, (ARRAY['ch_1', '%s', 'ch_3'])[n] AS reference, 'CHARGED' AS state,
               700::bigint AS amount, 'EUR' AS currency,
               '2025-03-14T12:00:00Z'::timestamptz AS at, NULL::timestamptz AS changed_at,
               NULL::text AS application, NULL::text AS evidence
        FROM   generate_series(1::bigint, 3) AS n
        """
            .formatted(odd);
    SqlBook book = TestSqlBook.of(PageKey.NUMBER, select);
    List<String> read = new ArrayList<>();

    book.read(DAY, it -> read.add(it.reference()));

    assertThat(read).containsExactly("ch_1", "ch_3");
    assertThat(book.find(odd)).isEmpty();
    BookPages pages = new BookPages(TestReconciliation.JSON);
    BookPage first = pages.of(book.page(DAY, null, 2), 2);
    assertThat(first.entries()).extracting(BookEntry::reference).containsExactly("ch_1");
    assertThat(pages.of(book.page(DAY, first.next(), 2), 2).entries())
        .extracting(BookEntry::reference)
        .containsExactly("ch_3");
  }

  @Test
  void takesNoCursorOfAnotherBook() {
    assertThatThrownBy(() -> book("ch_1", "CHARGED").page(DAY, "a", 10))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
