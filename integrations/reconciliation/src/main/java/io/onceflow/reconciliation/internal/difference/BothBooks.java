package io.onceflow.reconciliation.internal.difference;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import java.io.IOException;
import java.util.List;

/** The two books of a comparison, opened. */
public record BothBooks(Book ours, Book theirs) {

  /** An entry of ours may change while theirs is asked for, but not often. */
  private static final int LOOKS = 3;

  /**
   * What both have under a reference now. Where they differ, our book must say the same before and
   * after theirs was read: a step that ends in between has written its row by then, and what it did
   * at the other side is not marked as under way any more.
   */
  public EntryPair lookUp(String reference) throws IOException, InterruptedException {
    EntryPair pair = new EntryPair(ours.find(reference), theirs.find(reference));
    for (int look = 1; look < LOOKS && !pair.differences().isEmpty(); look++) {
      List<BookEntry> our = ours.find(reference);
      if (our.equals(pair.ours())) {
        return pair;
      }
      pair = new EntryPair(our, theirs.find(reference));
    }
    return pair;
  }
}
