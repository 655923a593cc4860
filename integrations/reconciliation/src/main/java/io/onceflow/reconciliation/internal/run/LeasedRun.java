package io.onceflow.reconciliation.internal.run;

import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;

/**
 * A run that this process holds the lease of.
 *
 * @param token the fencing token of this attempt
 * @param attempt 1, 2 and so on
 * @param isScheduled whether it is retried by itself
 * @param startedAt by the database's clock
 */
record LeasedRun(
    UUID id,
    long token,
    String comparison,
    LocalDate day,
    int attempt,
    boolean isScheduled,
    Instant startedAt) {}
