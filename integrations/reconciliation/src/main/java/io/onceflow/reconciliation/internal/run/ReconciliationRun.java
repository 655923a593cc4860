package io.onceflow.reconciliation.internal.run;

import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of one day.
 *
 * @param day in UTC
 * @param requestedBy the operator; null of a scheduled one
 * @param attempts that were started
 * @param ours how many entries were read of our book, by the last attempt; null until then
 * @param theirs the same of the other book
 * @param differences that were found; null until it is completed
 * @param stored how many of them are stored with their evidence
 * @param failure why the last attempt failed; null unless it did
 */
public record ReconciliationRun(
    UUID id,
    String comparison,
    LocalDate day,
    Status status,
    @Nullable String requestedBy,
    int attempts,
    @Nullable Long ours,
    @Nullable Long theirs,
    @Nullable Long differences,
    @Nullable Long stored,
    @Nullable String failure,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt) {

  /** How a run stands. */
  public enum Status {
    /** It will run, or run again. */
    WAITING,
    /** A replica works on it. */
    RUNNING,
    /** The day was compared. */
    COMPLETED,
    /** It was not, and is not retried by itself. */
    FAILED
  }

  /** As a caller sees it who may not know people. */
  public ReconciliationRun withoutPersonalData() {
    return new ReconciliationRun(
        id,
        comparison,
        day,
        status,
        null,
        attempts,
        ours,
        theirs,
        differences,
        stored,
        failure,
        createdAt,
        startedAt,
        finishedAt);
  }
}
