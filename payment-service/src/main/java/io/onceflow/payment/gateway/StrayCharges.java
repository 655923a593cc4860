package io.onceflow.payment.gateway;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.UUID;

/** Gives back what the gateway has charged and no payment here knows. */
@Singleton
class StrayCharges implements Mend {

  private static final UUID NO_ORDER = new UUID(0, 0);

  private final PaymentGateway gateway;

  StrayCharges(PaymentGateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public String comparison() {
    return "payments-gateway";
  }

  @Override
  public String proposal(Difference it) {
    return it.kind() == Kind.MISSING_HERE ? "refund the charge " + it.reference() : "";
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    BookEntry charge = it.theirs().getFirst();
    // The key of the step's compensation, should it come after all. Stripe refuses a second refund.
    CallKey refund = charge.callKey().map(PaymentGateway::refundOf).orElse(key);
    // The simulated gateway's book has the order as orderId, Stripe's as reference.
    UUID order = charge.id("orderId", "reference").orElse(NO_ORDER);
    gateway.refund(refund, order, it.reference(), Objects.requireNonNull(charge.amount()));
    return "refunded";
  }
}
