package io.onceflow.shipping.domain;

/** Why nothing is shipped. The words are those of the message {@code ShipmentRejected}. */
public enum RejectReason {
  /** The carrier does not go there. */
  COUNTRY_NOT_SERVED,
  /** The cancellation came before the booking, or the booking has been taken back already. */
  CANCELLED
}
