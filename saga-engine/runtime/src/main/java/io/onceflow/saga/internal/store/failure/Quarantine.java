package io.onceflow.saga.internal.store.failure;

import java.time.Instant;

/**
 * Why a saga's timer does not fire any more.
 *
 * @param since when the last attempt failed
 * @param failures how many attempts failed in a row
 * @param reason the kind of the last failure and where it was thrown; the log has the rest
 */
public record Quarantine(Instant since, int failures, String reason) {}
