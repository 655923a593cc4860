package io.onceflow.reconciliation.internal.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"ch_1, charged, 'the state ''charged'' of ch_1'", "'', CHARGED, 'the reference'"})
  void cannotBeReadWithARowThatIsNoEntry(String reference, String state, String why) {
    SqlBook book = book(reference, state);

    assertThatThrownBy(() -> book.page(DAY, null, 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the book charges cannot be read")
        .hasMessageContaining(why);
    assertThatThrownBy(() -> book.find(reference)).isInstanceOf(IOException.class);
  }

  @Test
  void takesNoCursorOfAnotherBook() {
    assertThatThrownBy(() -> book("ch_1", "CHARGED").page(DAY, "a", 10))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
