package io.onceflow.payment;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import io.onceflow.payment.domain.PaymentReply.PaymentProcessed;
import io.onceflow.payment.domain.PaymentReply.PaymentRefunded;
import io.onceflow.payment.domain.PaymentReply.PaymentReturned;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.payment.domain.RefundPayment;
import io.onceflow.payment.domain.ReturnPayment;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/** The order of the golden files, and what is said about it. */
final class AnOrder {

  static final UUID ID = UUID.fromString("0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01");
  static final UUID PAYMENT_ID = UUID.fromString("0199c3a4-6020-7d11-8c44-52a1b0c9d302");
  static final String REFERENCE = "ch_0199c3a460217a5b";
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private AnOrder() {}

  /** The handlers, with this gateway and a clock that stands still. */
  static Payments payments(PaymentGateway gateway) {
    return new Payments(gateway, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  static ProcessPayment processPayment() {
    return new ProcessPayment(ID, 2500, "EUR", "pm_card_visa");
  }

  static RefundPayment refundPayment() {
    return new RefundPayment(ID);
  }

  static ReturnPayment returnPayment() {
    return new ReturnPayment(ID);
  }

  static PaymentReturned paymentReturned() {
    return new PaymentReturned(ID, 2500);
  }

  static PaymentProcessed paymentProcessed() {
    return new PaymentProcessed(ID, PAYMENT_ID, 2500, "EUR", REFERENCE);
  }

  static PaymentDeclined paymentDeclined() {
    return new PaymentDeclined(ID, DeclineReason.INSUFFICIENT_FUNDS);
  }

  static PaymentRefunded paymentRefunded() {
    return new PaymentRefunded(ID, 2500);
  }

  static StepKey processKey() {
    return new StepKey(new IdempotencyKey("root"), "process-payment");
  }

  static CallKey chargeKey() {
    return new CallKey("alice", processKey());
  }

  static Payment charged() {
    return Payment.charged(PAYMENT_ID, chargeKey(), processPayment(), REFERENCE, NOW);
  }

  static Payment declined() {
    return Payment.declined(
        PAYMENT_ID, chargeKey(), processPayment(), DeclineReason.INSUFFICIENT_FUNDS, NOW);
  }
}
