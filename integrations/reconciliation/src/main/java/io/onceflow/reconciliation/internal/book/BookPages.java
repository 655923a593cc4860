package io.onceflow.reconciliation.internal.book;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.book.SqlBook.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes pages of a book that another service can read: it takes an answer of up to a MiB, and would
 * ask for a larger page again and again.
 */
final class BookPages {

  /** Of a page's entries as JSON; what is around them takes a few bytes more. */
  static final int LARGEST_PAGE = 768 * 1024;

  /** Of one entry; ten of them, as many as there may be of one reference, are less than a page. */
  static final int LARGEST_ENTRY = 64 * 1024;

  private final ObjectMapper json;

  BookPages(ObjectMapper json) {
    this.json = json;
  }

  /**
   * The page that starts with these lines; the next one starts with those that it does not hold.
   *
   * @param limit how many were looked for
   */
  BookPage of(List<Line> lines, int limit) {
    List<BookEntry> entries = new ArrayList<>();
    long bytes = 0;
    int taken = 0;
    for (Line line : lines) {
      @Nullable BookEntry found = line.entry();
      if (found != null) {
        BookEntry entry = bounded(found);
        bytes += size(entry);
        if (bytes > LARGEST_PAGE && !entries.isEmpty()) {
          break;
        }
        entries.add(entry);
      }
      taken++;
    }
    boolean isLast = taken == lines.size() && lines.size() < limit;
    return new BookPage(entries, isLast ? null : lines.get(taken - 1).cursor());
  }

  /** What a book has under one reference. */
  BookPage of(List<BookEntry> entries) {
    return new BookPage(entries.stream().map(this::bounded).toList(), null);
  }

  /** Evidence is for people, and not compared. */
  private BookEntry bounded(BookEntry it) {
    int size = size(it);
    return size <= LARGEST_ENTRY
        ? it
        : new BookEntry(
            it.reference(),
            it.state(),
            it.amount(),
            it.currency(),
            it.at(),
            it.changedAt(),
            it.application(),
            Map.of("leftOut", "the entry has %s bytes, too many to be sent".formatted(size)));
  }

  private int size(BookEntry entry) {
    try {
      return json.writeValueAsBytes(entry).length + 1; // the comma
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(entry.reference() + " cannot be written as JSON", e);
    }
  }
}
