package io.onceflow.reconciliation.internal.operators;

import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A difference as it is shown.
 *
 * @param ours the entries of our book; null for viewers
 * @param theirs the entries of the other book; null for viewers
 * @param proposal what a mend would do; null where there is none
 */
record DifferenceView(
    UUID id,
    String comparison,
    String reference,
    Difference.Kind kind,
    LocalDate day,
    Difference.Status status,
    @Nullable List<BookEntry> ours,
    @Nullable List<BookEntry> theirs,
    @Nullable String proposal,
    Instant firstSeenAt,
    Instant lastSeenAt,
    @Nullable Instant closedAt,
    @Nullable String closedBy,
    @Nullable String reason,
    @Nullable String outcome) {

  static DifferenceView of(Difference it, @Nullable String proposal, boolean withEvidence) {
    return new DifferenceView(
        it.id(),
        it.comparison(),
        it.reference(),
        it.kind(),
        it.day(),
        it.status(),
        withEvidence ? it.ours() : null,
        withEvidence ? it.theirs() : null,
        proposal,
        it.firstSeenAt(),
        it.lastSeenAt(),
        it.closedAt(),
        withEvidence ? it.closedBy() : null,
        withEvidence ? it.reason() : null,
        it.outcome());
  }
}
