package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.DAY;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.difference.BothBooks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Books too large for memory: their entries are made up as they are read, as many as {@code
 * -Donceflow.reconciled.entries} says.
 */
@Tag("nightly")
class MillionEntriesTest {

  private static final long ENTRIES = Long.getLong("onceflow.reconciled.entries", 300_000);

  /** Far less than the entries take, as objects or as text. */
  private static final long MOST_BYTES = 16L << 20;

  private final AtomicLong largestHeap = new AtomicLong();
  private long heapBefore;

  /** A book of numbers, without those that are left out. */
  private final class EndlessBook implements Book {

    private final LongPredicate has;
    private final long added;

    EndlessBook(LongPredicate has, long added) {
      this.has = has;
      this.added = added;
    }

    private BookEntry line(long number) {
      boolean isAltered = number % 100_000 == 7;
      return entry(
          "ch_0199c3a4c0de%012d".formatted(number),
          "CHARGED",
          100 + (isAltered ? added : 0),
          NOON.plusMillis(number % 1_000_000));
    }

    @Override
    public String name() {
      return "endless";
    }

    @Override
    public void read(Window window, Consumer<BookEntry> entries) {
      for (long i = 0; i < ENTRIES; i++) {
        if (has.test(i)) {
          entries.accept(line(i));
        }
        if (i % 100_000 == 0) {
          look();
        }
      }
    }

    @Override
    public List<BookEntry> find(String reference) {
      long number = Long.parseLong(reference.substring(reference.length() - 12));
      return has.test(number) ? List.of(line(number)) : List.of();
    }
  }

  private void look() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    largestHeap.accumulateAndGet(runtime.totalMemory() - runtime.freeMemory(), Math::max);
  }

  @Test
  void areComparedInBoundedMemory() throws Exception {
    TestReconciliation.empty();
    ReconcilerFixture books = new ReconcilerFixture();
    books.mostStored = 10_000;
    LeasedRun run = books.begin(DAY);
    look();
    heapBefore = largestHeap.getAndSet(0);
    long begun = System.nanoTime();

    RunCounts counts =
        books
            .reconciler()
            .compare(
                run,
                new BothBooks(
                    new EndlessBook(it -> it % 50_000 != 3, 0),
                    new EndlessBook(it -> it % 50_000 != 4, 1)));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    look();

    System.out.printf(
        "%d and %d entries compared in %.1f s, %d differences; heap before %d MiB, at most %d"
            + " MiB%n",
        counts.ours(),
        counts.theirs(),
        took.toMillis() / 1e3,
        counts.differences(),
        heapBefore >> 20,
        largestHeap.get() >> 20);
    assertThat(counts.differences()).isEqualTo(ENTRIES / 50_000 * 2 + ENTRIES / 100_000);
    assertThat(largestHeap.get() - heapBefore).isLessThan(MOST_BYTES);
  }
}
