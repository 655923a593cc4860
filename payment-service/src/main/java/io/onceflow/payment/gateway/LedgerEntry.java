package io.onceflow.payment.gateway;

import java.time.Instant;

/**
 * One movement of money, as the gateway's books show it.
 *
 * @param idempotencyKey under which it was asked for
 * @param amount in minor units
 * @param at when it was booked
 */
public record LedgerEntry(String idempotencyKey, Kind kind, long amount, Instant at) {

  /** Which way the money went. */
  public enum Kind {
    /** To us. */
    CHARGE,
    /** Back to the customer. */
    REFUND
  }
}
