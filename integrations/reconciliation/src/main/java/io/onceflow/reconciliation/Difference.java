package io.onceflow.reconciliation;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something in which two books differ. Found again, it is the same difference.
 *
 * @param comparison the name of the two books' comparison
 * @param reference of the entry or entries
 * @param day in UTC, of the run that found it last
 * @param ours the entries of our book; empty where it has none
 * @param theirs the entries of the other book; empty where it has none
 * @param closedAt when it was mended, dismissed or found to be gone; null while it is open
 * @param closedBy the operator; null while it is open, or where a run found it gone
 * @param reason in the operator's words; null when nothing was said
 * @param outcome of the last mend, also of one that failed; null without one
 */
public record Difference(
    UUID id,
    String comparison,
    String reference,
    Kind kind,
    LocalDate day,
    Status status,
    List<BookEntry> ours,
    List<BookEntry> theirs,
    Instant firstSeenAt,
    Instant lastSeenAt,
    @Nullable Instant closedAt,
    @Nullable String closedBy,
    @Nullable String reason,
    @Nullable String outcome) {

  /** In what two books may differ. */
  public enum Kind {
    /** The other book has an entry, and ours has none. */
    MISSING_HERE,
    /** Our book has an entry, and the other has none. */
    MISSING_THERE,
    /** Both have it, with different amounts. */
    AMOUNT,
    /** Both have it, in different currencies. */
    CURRENCY,
    /** Both have it, in states that do not agree. */
    STATE,
    /** A book has it more than once. */
    TWICE
  }

  /** What has become of a difference. */
  public enum Status {
    /** Nothing yet. */
    OPEN,
    /**
     * A mend is under way, or has failed with an unknown result: to mend again is safe. One that
     * has failed may be dismissed, too, and is resolved by a run that does not find it again.
     */
    MENDING,
    /** Mended. */
    MENDED,
    /** An operator has said that nothing is to be done. Open again if either side changes. */
    DISMISSED,
    /** A later run has not found it again. */
    RESOLVED
  }

  /** Copies the entries. */
  public Difference {
    ours = List.copyOf(ours);
    theirs = List.copyOf(theirs);
  }

  /** Whether an operator may still act on it. */
  public boolean isOpen() {
    return status == Status.OPEN || status == Status.MENDING;
  }
}
