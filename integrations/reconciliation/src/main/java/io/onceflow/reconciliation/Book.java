package io.onceflow.reconciliation;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one side says it did: a list of charges, bookings or orders. A bean of this type is a book
 * that comparisons of {@code onceflow.reconciliation.comparisons} can name. It may be read by one
 * thread at a time, for hours.
 */
public interface Book {

  /** Its name in the configuration, such as {@code stripe-gateway}. */
  String name();

  /**
   * Reads all entries whose {@link BookEntry#at} lies in the window, page by page, and hands each
   * to the consumer. Entries a little outside of the window do no harm. The same entry is passed
   * once; each page has a deadline.
   *
   * @throws IOException when the book cannot be read; the run is retried
   * @throws InterruptedException when the run is given up
   */
  void read(Window window, Consumer<BookEntry> entries) throws IOException, InterruptedException;

  /**
   * Looks up what the book has under a reference now, whenever it was made.
   *
   * @return no entry, one, or more where the book has it more than once
   * @throws IOException when the book cannot be asked
   */
  List<BookEntry> find(String reference) throws IOException, InterruptedException;

  /**
   * References of entries, however old, that started to change in the window and may change back
   * long afterwards, as a refund that the bank sends back. Each is looked up on both sides whenever
   * the window's day is compared.
   *
   * @param after the last one of the page before; null for the first page
   * @return the next page, of a thousand at most: each reference once and always in the same order;
   *     an empty page follows the last
   * @throws IOException when that cannot be read; the run is retried
   */
  default List<String> changedIn(Window window, @Nullable String after) throws IOException {
    return List.of();
  }

  /**
   * A span of time.
   *
   * @param from inclusive
   * @param to exclusive
   */
  record Window(Instant from, Instant to) {

    /** A day in UTC. */
    public static Window of(LocalDate day) {
      return new Window(
          day.atStartOfDay(ZoneOffset.UTC).toInstant(),
          day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** The same with as much more at both ends. */
    public Window widenedBy(Duration margin) {
      return new Window(from.minus(margin), to.plus(margin));
    }

    /** Whether a moment lies in it. */
    public boolean contains(Instant moment) {
      return !moment.isBefore(from) && moment.isBefore(to);
    }
  }
}
