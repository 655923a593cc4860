package io.onceflow.shipping.domain;

/**
 * Why nothing is shipped. The words are those of the messages {@code ShipmentRejected} and {@code
 * ReturnRejected}.
 */
public enum RejectReason {
  /** The carrier does not go there. */
  COUNTRY_NOT_SERVED,
  /** The carrier fetches nothing there. */
  RETURNS_NOT_SERVED,
  /** The cancellation came before the booking, or the booking has been taken back already. */
  CANCELLED
}
