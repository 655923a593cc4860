package io.onceflow.shipping.carrier;

import java.time.Instant;

/**
 * One effect, as the carrier's books show it.
 *
 * @param idempotencyKey under which it was asked for
 * @param amount always 0: the carrier sends its bills elsewhere
 * @param at when it was booked
 */
public record LedgerEntry(String idempotencyKey, Kind kind, long amount, Instant at) {

  /** Which way. */
  public enum Kind {
    /** A parcel is to be fetched. */
    BOOKING,
    /** It is not, after all. */
    CANCELLATION
  }
}
