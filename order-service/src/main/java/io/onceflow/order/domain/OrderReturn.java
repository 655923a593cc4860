package io.onceflow.order.domain;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A customer's wish to give an order back, and the outcome of it. An order has at most one that is
 * not rejected.
 *
 * <pre>
 * REQUESTED ──the carrier will fetch it──▶ ACCEPTED ──the money is back──▶ COMPLETED
 *    └────────the carrier will not───────▶ REJECTED
 * </pre>
 *
 * @param id UUIDv7, so that later returns of an order sort after earlier ones
 * @param orderId which order is given back
 * @param rejectionReason why it was not taken back; null unless REJECTED
 * @param trackingNumber of the return shipment; null until the carrier has taken the booking
 * @param refundedAmount what was given back, in minor units; null until then
 * @param requestedAt when the customer asked for it
 */
public record OrderReturn(
    UUID id,
    UUID orderId,
    Status status,
    @Nullable String rejectionReason,
    @Nullable String trackingNumber,
    @Nullable Long refundedAmount,
    Instant requestedAt) {

  /** What has become of a return. */
  public enum Status {
    /** The carrier is being asked. */
    REQUESTED,
    /** The carrier fetches it, and the money is being given back: from here on only forward. */
    ACCEPTED,
    /** The money is back, and the order is RETURNED. */
    COMPLETED,
    /** It does not come about; the order stays CONFIRMED, and may be retried. */
    REJECTED
  }

  /** A new return. */
  public static OrderReturn requested(UUID id, UUID orderId, Instant now) {
    return new OrderReturn(id, orderId, Status.REQUESTED, null, null, null, now);
  }

  /** Whether it leaves no room for another return of the order. */
  public boolean stands() {
    return status != Status.REJECTED;
  }

  /** Notes that the carrier will fetch it. */
  public OrderReturn noteArranged(String tracking) {
    return with(status, rejectionReason, tracking, refundedAmount);
  }

  /** Notes that the carrier will not come after all. */
  public OrderReturn noteCancelled() {
    return with(status, rejectionReason, null, refundedAmount);
  }

  /** Notes what was given back, in minor units. */
  public OrderReturn noteRefund(long amount) {
    return with(status, rejectionReason, trackingNumber, amount);
  }

  /**
   * The goods come back, so the money has to.
   *
   * @throws IllegalStateException unless it is requested
   */
  public OrderReturn accept() {
    require(Status.REQUESTED, "accepted");
    return with(Status.ACCEPTED, null, trackingNumber, refundedAmount);
  }

  /**
   * The money is back.
   *
   * @throws IllegalStateException unless it is accepted
   */
  public OrderReturn complete() {
    require(Status.ACCEPTED, "completed");
    return with(Status.COMPLETED, null, trackingNumber, refundedAmount);
  }

  /**
   * It does not come about.
   *
   * @param reason such as RETURN_REJECTED
   * @throws IllegalStateException unless it is requested
   */
  public OrderReturn reject(String reason) {
    require(Status.REQUESTED, "rejected");
    return with(Status.REJECTED, reason, trackingNumber, refundedAmount);
  }

  private void require(Status needed, String what) {
    if (status != needed) {
      throw new IllegalStateException(
          "return %s is %s and cannot be %s".formatted(id, status, what));
    }
  }

  private OrderReturn with(
      Status newStatus,
      @Nullable String newReason,
      @Nullable String newTracking,
      @Nullable Long newAmount) {
    return new OrderReturn(id, orderId, newStatus, newReason, newTracking, newAmount, requestedAt);
  }
}
