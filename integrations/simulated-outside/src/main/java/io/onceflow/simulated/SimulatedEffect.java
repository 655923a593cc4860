package io.onceflow.simulated;

import java.util.UUID;

/**
 * What is done for an order.
 *
 * @param reference the simulated system's own name for it
 * @param amount in minor units; 0 for what costs nothing
 * @param currency ISO 4217; empty for what costs nothing
 */
public record SimulatedEffect(UUID orderId, String reference, long amount, String currency) {

  /** An effect that costs nothing. */
  public SimulatedEffect(UUID orderId, String reference) {
    this(orderId, reference, 0, "");
  }

  /** Whether the same was asked for; the reference is new at each request. */
  boolean isForTheSame(SimulatedEffect other) {
    return orderId.equals(other.orderId)
        && amount == other.amount
        && currency.equals(other.currency);
  }

  boolean isUndoneBy(SimulatedEffect undone) {
    return orderId.equals(undone.orderId)
        && reference.equals(undone.reference)
        && amount == undone.amount;
  }
}
