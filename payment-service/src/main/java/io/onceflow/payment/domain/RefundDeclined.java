package io.onceflow.payment.domain;

import io.onceflow.message.Refused;
import java.util.UUID;

/**
 * The answer to {@link RefundPayment} and {@link ReturnPayment} where the gateway does not give the
 * charge back. No definition maps it: the saga shows its reason and asks again, slowly, until the
 * money is back or an operator has resolved the refund.
 *
 * @param reason the gateway's code
 */
@Refused(RefundPayment.class)
public record RefundDeclined(UUID orderId, String reason) {}
