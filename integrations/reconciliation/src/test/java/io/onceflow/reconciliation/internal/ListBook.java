package io.onceflow.reconciliation.internal;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A book on paper. */
public final class ListBook implements Book {

  public final List<BookEntry> entries = new ArrayList<>();

  /** References of old entries that may still change. */
  public final List<String> changed = new ArrayList<>();

  /** What happens when the book was read. */
  public Runnable afterReading = () -> {};

  /** What happens before an entry is looked up. */
  public Runnable beforeLookingUp = () -> {};

  /** Why it cannot be read; null where it can. */
  public @Nullable String failure;

  /** An entry that was not changed. */
  public static BookEntry entry(String reference, String state, long amount, Instant at) {
    return new BookEntry(
        reference, state, amount, "EUR", at, at, null, Map.of("orderId", "o-" + reference));
  }

  /** The same entry in another currency. */
  public static BookEntry in(BookEntry it, String currency) {
    return new BookEntry(
        it.reference(),
        it.state(),
        it.amount(),
        currency,
        it.at(),
        it.changedAt(),
        it.application(),
        it.evidence());
  }

  @Override
  public String name() {
    return "paper";
  }

  @Override
  public void read(Window window, Consumer<BookEntry> consumer) throws IOException {
    fail();
    entries.stream().filter(it -> window.contains(it.at())).forEach(consumer);
    afterReading.run();
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException {
    fail();
    beforeLookingUp.run();
    return entries.stream().filter(it -> it.reference().equals(reference)).toList();
  }

  /** Pages of two. */
  @Override
  public List<String> changedIn(Window window, @Nullable String after) throws IOException {
    fail();
    return changed.stream().skip(changed.indexOf(after) + 1L).limit(2).toList();
  }

  private void fail() throws IOException {
    if (failure != null) {
      throw new IOException(failure);
    }
  }
}
