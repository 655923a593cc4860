package io.onceflow.simulated;

/**
 * A row of the ledger.
 *
 * @param kind {@code VOID}, or one of {@link LedgerNames}
 */
record LedgerRow(EffectKey key, String kind, SimulatedEffect effect) {}
