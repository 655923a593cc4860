package io.onceflow.order.domain;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the order service knows of an order's shipment.
 *
 * @param id the shipping service's id; null when it was rejected
 * @param status ARRANGED, REJECTED or CANCELLED
 * @param trackingNumber of the booking; null when it was rejected
 */
public record Shipment(@Nullable UUID id, Status status, @Nullable String trackingNumber) {

  /** What has become of the shipment. */
  public enum Status {
    ARRANGED,
    REJECTED,
    CANCELLED
  }

  /** A booking that stands. */
  public static Shipment arranged(UUID id, String trackingNumber) {
    return new Shipment(id, Status.ARRANGED, trackingNumber);
  }

  /** No booking. */
  public static Shipment rejected() {
    return new Shipment(null, Status.REJECTED, null);
  }

  /** The booking taken back. */
  public Shipment cancelled() {
    return new Shipment(id, Status.CANCELLED, trackingNumber);
  }
}
