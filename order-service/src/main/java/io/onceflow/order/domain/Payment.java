package io.onceflow.order.domain;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the order service knows of an order's payment.
 *
 * @param id the payment service's id; null when it was declined
 * @param status PROCESSED, DECLINED or REFUNDED
 * @param gatewayReference the charge; null when it was declined
 */
public record Payment(@Nullable UUID id, Status status, @Nullable String gatewayReference) {

  /** What has become of the payment. */
  public enum Status {
    PROCESSED,
    DECLINED,
    REFUNDED
  }

  /** A charge that stands. */
  public static Payment processed(UUID id, String gatewayReference) {
    return new Payment(id, Status.PROCESSED, gatewayReference);
  }

  /** No charge. */
  public static Payment declined() {
    return new Payment(null, Status.DECLINED, null);
  }

  /** The charge given back. */
  public Payment refunded() {
    return new Payment(id, Status.REFUNDED, gatewayReference);
  }
}
