package io.onceflow.shipping.domain;

import java.util.UUID;

/** What this service answers; the shapes are fixed by {@code docs/messages}. */
public sealed interface ShipmentReply {

  /** Which order it is about. */
  UUID orderId();

  /**
   * The carrier has taken the booking.
   *
   * @param trackingNumber what the carrier calls the booking
   */
  record ShipmentArranged(UUID orderId, UUID shipmentId, String trackingNumber)
      implements ShipmentReply {}

  /** The carrier has not taken it. */
  record ShipmentRejected(UUID orderId, RejectReason reason) implements ShipmentReply {}

  /** Nothing is booked, or not any more. */
  record ShipmentCancelled(UUID orderId) implements ShipmentReply {}

  /**
   * The carrier will fetch the order from its customer.
   *
   * @param trackingNumber what the carrier calls the booking
   */
  record ReturnArranged(UUID returnId, UUID orderId, UUID shipmentId, String trackingNumber)
      implements ShipmentReply {}

  /** The carrier will not fetch it. */
  record ReturnRejected(UUID returnId, UUID orderId, RejectReason reason)
      implements ShipmentReply {}

  /** Nothing is to be fetched, or not any more. */
  record ReturnCancelled(UUID returnId, UUID orderId) implements ShipmentReply {}
}
