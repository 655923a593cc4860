package io.onceflow.payment.gateway;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.stripe.StripeCharge;
import io.onceflow.stripe.StripeConfig;
import io.onceflow.stripe.StripeOutcome;
import io.onceflow.stripe.StripePayments;
import io.onceflow.stripe.StripeRefundFailed;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;

/** Moves the money by Stripe. */
@Singleton
@Typed(StripeGateway.class)
class StripeGateway implements PaymentGateway {

  private final StripePayments stripe;
  private final StripeConfig config;

  StripeGateway(StripePayments stripe, StripeConfig config) {
    this.stripe = stripe;
    this.config = config;
  }

  @Override
  public Outcome charge(CallKey key, ProcessPayment command) {
    StripeCharge charge =
        new StripeCharge(
            command.amount(),
            command.currency(),
            command.paymentMethod(),
            command.orderId().toString(),
            config.mayWait());
    return switch (stripe.charge(key, charge)) {
      case StripeOutcome.Charged(String intent) -> new Outcome.Charged(intent);
      case StripeOutcome.Declined(String code) -> new Outcome.Declined(reasonOf(code));
      case StripeOutcome.GivenUp() -> new Outcome.Declined(DeclineReason.CANCELLED);
      case StripeOutcome.Pending pending -> new Outcome.Pending(pending.lookAgainAfter());
    };
  }

  private static DeclineReason reasonOf(String code) {
    return code.equals("insufficient_funds")
        ? DeclineReason.INSUFFICIENT_FUNDS
        : DeclineReason.CARD_DECLINED;
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    try {
      stripe.refund(key, orderId.toString(), charge);
    } catch (StripeRefundFailed e) {
      throw new RefundRefused(e.code(), e);
    }
  }

  @Override
  public boolean refundAgain(CallKey key, UUID orderId, String charge, long amount) {
    try {
      return stripe.refundAgain(key, orderId.toString(), charge);
    } catch (StripeRefundFailed e) {
      throw new RefundRefused(e.code(), e);
    }
  }

  @Override
  public Optional<String> refundFailure(UUID orderId, String charge) {
    return stripe.refundFailure(orderId.toString(), charge);
  }

  @Override
  public Optional<Annulled> annul(CallKey charge, UUID orderId) {
    try {
      return stripe
          .annul(charge, PaymentGateway.refundOf(charge), orderId.toString())
          .map(it -> new Annulled(it.intent(), it.amount(), it.currency()));
    } catch (StripeRefundFailed e) {
      throw new RefundRefused(e.code(), e);
    }
  }
}
