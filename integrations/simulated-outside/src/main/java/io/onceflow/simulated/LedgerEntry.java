package io.onceflow.simulated;

import java.time.Instant;

/**
 * One effect, as the ledger lists it.
 *
 * @param idempotencyKey the key of the request that caused it
 * @param kind such as {@code CHARGE}
 * @param amount in minor units; 0 for what costs nothing
 * @param at when it was caused
 */
public record LedgerEntry(String idempotencyKey, String kind, long amount, Instant at) {}
