package io.onceflow.reconciliation.internal.difference;

import io.onceflow.reconciliation.Book;
import java.io.IOException;

/** The two books of a comparison, opened. */
public record BothBooks(Book ours, Book theirs) {

  /** What both have under a reference now. */
  public EntryPair lookUp(String reference) throws IOException, InterruptedException {
    return new EntryPair(ours.find(reference), theirs.find(reference));
  }
}
