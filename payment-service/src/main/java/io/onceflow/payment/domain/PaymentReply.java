package io.onceflow.payment.domain;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import java.util.UUID;

/** What this service answers; the shapes are fixed by {@code docs/messages}. */
public sealed interface PaymentReply {

  /** Which order it is about. */
  UUID orderId();

  /**
   * The charge was made.
   *
   * @param amount in minor units
   * @param gatewayReference what the gateway calls the charge
   */
  @Done(ProcessPayment.class)
  record PaymentProcessed(
      UUID orderId, UUID paymentId, long amount, String currency, String gatewayReference)
      implements PaymentReply {}

  /** The charge was not made. */
  @Refused(ProcessPayment.class)
  record PaymentDeclined(UUID orderId, DeclineReason reason) implements PaymentReply {}

  /**
   * The order is not charged, or not any more.
   *
   * @param amount what was given back, in minor units; 0 when there was nothing to give back
   */
  @Done(RefundPayment.class)
  record PaymentRefunded(UUID orderId, long amount) implements PaymentReply {}

  /**
   * The money of an order that went through is back with the customer.
   *
   * @param amount what was given back, in minor units
   */
  @Done(ReturnPayment.class)
  record PaymentReturned(UUID orderId, long amount) implements PaymentReply {}

  /**
   * The gateway does not give the charge back. No definition maps it: the saga shows its reason and
   * asks again, slowly, until the money is back or an operator has resolved the refund.
   *
   * @param reason the gateway's code
   */
  @Refused({RefundPayment.class, ReturnPayment.class})
  record RefundDeclined(UUID orderId, String reason) implements PaymentReply {}
}
