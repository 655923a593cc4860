package io.onceflow.payment.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.payment.domain.Payment;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment as it is shown.
 *
 * @param amount in minor units
 * @param gatewayReference what the gateway calls the charge; null of a declined one
 * @param refundFailure why the gateway does not give the money back, in its word; left out where
 *     nothing failed, and for callers who are no operators
 */
public record PaymentView(
    UUID id,
    UUID orderId,
    Payment.Status status,
    long amount,
    String currency,
    @Nullable String gatewayReference,
    @JsonInclude(Include.NON_NULL) @Nullable String refundFailure) {

  static PaymentView of(Payment payment, Optional<String> refundFailure) {
    return new PaymentView(
        payment.id(),
        payment.orderId(),
        payment.status(),
        payment.amount(),
        payment.currency(),
        payment.gatewayReference(),
        refundFailure.orElse(null));
  }
}
