package io.onceflow.shipping.domain;

import io.onceflow.participant.Answer.Rejection;

/**
 * Why nothing is shipped. The words are those of the messages {@code ShipmentRejected} and {@code
 * ReturnRejected}.
 */
public enum RejectReason {
  /** The carrier does not go there. */
  COUNTRY_NOT_SERVED,
  /** The carrier fetches nothing there. */
  RETURNS_NOT_SERVED,
  /** The carrier knows no such address. */
  ADDRESS_INVALID,
  /** The cancellation came before the booking, or the booking has been taken back already. */
  CANCELLED,
  /** The command came too late: nothing was booked, and nothing will be. */
  EXPIRED,
  /** The carrier gave no final answer, so it may have booked. The saga compensates. */
  UNAVAILABLE;

  /** The reason of a command that is not handled. */
  public static RejectReason of(Rejection why) {
    return valueOf(why.name());
  }
}
