package io.onceflow.shipping.domain;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ShipmentReply.ReturnArranged;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentArranged;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of shipping an order, or of fetching it back: one of each step that books it.
 *
 * <pre>
 *   booked ──▶ ARRANGED ──cancelledAt──▶ CANCELLED
 *   refused ─▶ REJECTED
 * </pre>
 *
 * @param key of the step that booked, by which the carrier knows the booking
 * @param returnId which return of the order it is for; null when it goes to the customer
 * @param rejectReason only of a rejected one
 * @param trackingNumber what the carrier calls the booking; null only of a rejected one
 * @param arrangedAt when the carrier answered
 * @param cancelledAt only of a cancelled one
 */
public record Shipment(
    UUID id,
    UUID orderId,
    @Nullable UUID returnId,
    CallKey key,
    Status status,
    @Nullable RejectReason rejectReason,
    @Nullable String trackingNumber,
    Instant arrangedAt,
    @Nullable Instant cancelledAt) {

  /** Where a shipment stands. */
  public enum Status {
    /** Booked. */
    ARRANGED,
    /** Never booked. */
    REJECTED,
    /** Booked, and taken back. */
    CANCELLED
  }

  /** The shipment that the carrier has taken. */
  public static Shipment booked(
      UUID id, CallKey key, UUID orderId, String trackingNumber, Instant now) {
    return new Shipment(id, orderId, null, key, Status.ARRANGED, null, trackingNumber, now, null);
  }

  /** The shipment that the carrier would not take. */
  public static Shipment rejected(
      UUID id, CallKey key, UUID orderId, RejectReason reason, Instant now) {
    return new Shipment(id, orderId, null, key, Status.REJECTED, reason, null, now, null);
  }

  /** The same shipment the other way round: from the customer, for this return. */
  public Shipment comingBackBy(UUID newReturnId) {
    return with(newReturnId, status, cancelledAt);
  }

  /** What commands about it are about: the order, or the return. */
  public UUID subject() {
    return returnId == null ? orderId : returnId;
  }

  /** Whether it goes from the customer back. */
  public boolean isReturn() {
    return returnId != null;
  }

  /** True while the carrier is to come. */
  public boolean isBooked() {
    return status == Status.ARRANGED;
  }

  /** What the carrier calls the booking. */
  public String booking() {
    return Objects.requireNonNull(trackingNumber, () -> "shipment " + id + " was never booked");
  }

  /**
   * The same shipment, taken back.
   *
   * @throws IllegalStateException unless it is booked
   */
  public Shipment cancelledAt(Instant now) {
    if (!isBooked()) {
      throw new IllegalStateException("shipment " + id + " is " + status + ": nothing to cancel");
    }
    return with(returnId, Status.CANCELLED, now);
  }

  private Shipment with(@Nullable UUID of, Status newStatus, @Nullable Instant at) {
    return new Shipment(
        id, orderId, of, key, newStatus, rejectReason, trackingNumber, arrangedAt, at);
  }

  /** The answer to a command that asks for the booking. */
  public Answer.Reply answer() {
    if (isBooked()) {
      return Answer.done(reply());
    }
    return status == Status.CANCELLED || rejectReason == RejectReason.CANCELLED
        ? Answer.of(ReplyOutcome.CANCELLED, reply())
        : Answer.refused(reply());
  }

  /** Booking again what was taken back would undo the compensation: it answers as rejected. */
  private Record reply() {
    RejectReason reason = rejectReason == null ? RejectReason.CANCELLED : rejectReason;
    if (returnId == null) {
      return isBooked()
          ? new ShipmentArranged(orderId, id, booking())
          : new ShipmentRejected(orderId, reason);
    }
    return isBooked()
        ? new ReturnArranged(returnId, orderId, id, booking())
        : new ReturnRejected(returnId, orderId, reason);
  }
}
