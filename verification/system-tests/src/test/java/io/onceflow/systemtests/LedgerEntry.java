package io.onceflow.systemtests;

/**
 * An effect outside: what would be money or a parcel.
 *
 * @param key the step key it was asked for with
 * @param kind CHARGE, REFUND, BOOKING or CANCELLATION
 * @param amount in minor units; 0 where it is not about money
 */
record LedgerEntry(String key, String kind, long amount) {}
