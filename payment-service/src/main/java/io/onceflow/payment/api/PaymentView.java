package io.onceflow.payment.api;

import io.onceflow.payment.domain.Payment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment as it is shown.
 *
 * @param amount in minor units
 * @param gatewayReference what the gateway calls the charge; null of a declined one
 */
public record PaymentView(
    UUID id,
    UUID orderId,
    Payment.Status status,
    long amount,
    String currency,
    @Nullable String gatewayReference) {

  static PaymentView of(Payment payment) {
    return new PaymentView(
        payment.id(),
        payment.orderId(),
        payment.status(),
        payment.amount(),
        payment.currency(),
        payment.gatewayReference());
  }
}
