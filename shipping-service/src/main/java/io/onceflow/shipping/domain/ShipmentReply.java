package io.onceflow.shipping.domain;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
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
  @Done(ArrangeShipment.class)
  record ShipmentArranged(UUID orderId, UUID shipmentId, String trackingNumber)
      implements ShipmentReply {}

  /** The carrier has not taken it. */
  @Refused(ArrangeShipment.class)
  record ShipmentRejected(UUID orderId, RejectReason reason) implements ShipmentReply {}

  /** Nothing is booked, or not any more. */
  @Done(CancelShipment.class)
  record ShipmentCancelled(UUID orderId) implements ShipmentReply {}

  /** The carrier will fetch the order from its customer, under its tracking number. */
  @Done(ArrangeReturn.class)
  record ReturnArranged(UUID returnId, UUID orderId, UUID shipmentId, String trackingNumber)
      implements ShipmentReply {}

  /** The carrier will not fetch it. */
  @Refused(ArrangeReturn.class)
  record ReturnRejected(UUID returnId, UUID orderId, RejectReason reason)
      implements ShipmentReply {}

  /** Nothing is to be fetched, or not any more. */
  @Done(CancelReturn.class)
  record ReturnCancelled(UUID returnId, UUID orderId) implements ShipmentReply {}

  /**
   * The carrier does not take the booking back. No definition maps it: the saga shows its reason
   * and asks again, slowly, until the carrier has taken it back or an operator has resolved the
   * refund.
   *
   * @param reason the carrier's word
   */
  @Refused({CancelShipment.class, CancelReturn.class})
  record CancellationDeclined(UUID orderId, String reason) implements ShipmentReply {}
}
