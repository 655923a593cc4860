package io.onceflow.easypost;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A label as EasyPost lists it.
 *
 * @param shipmentId EasyPost's id
 * @param reference of the shipment: the value of the key under which it was bought here; null where
 *     another application bought it
 * @param refundStatus {@code submitted}, {@code refunded}, {@code rejected}, {@code
 *     not_applicable}, or null where no refund was asked for
 * @param price in units of the currency; null where EasyPost does not tell
 * @param createdAt when the shipment was made
 */
public record ListedLabel(
    String shipmentId,
    @Nullable String reference,
    @Nullable String trackingCode,
    @Nullable String refundStatus,
    @Nullable BigDecimal price,
    @Nullable String currency,
    Instant createdAt) {

  /** Whether its money is asked for, or was given back, or never taken. */
  public boolean isRefunded() {
    return refundStatus != null && EasyPostLabels.REFUNDED.contains(refundStatus);
  }
}
