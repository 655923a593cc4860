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

/**
 * Gives back what the gateway has charged and no payment here knows, and what was given back here
 * and came back to the gateway.
 */
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
    if (it.kind() == Kind.MISSING_HERE) {
      return "refund the charge " + it.reference();
    }
    return isRefundThatFailed(it)
        ? "ask again for the refund of the charge %s, which has failed; if the customer was paid in another way, resolve the refund instead"
            .formatted(it.reference())
        : "";
  }

  private static boolean isRefundThatFailed(Difference it) {
    return it.kind() == Kind.STATE
        && it.ours().getFirst().state().equals("REFUNDED")
        && it.theirs().getFirst().state().equals("CHARGED")
        && it.ours().getFirst().callKey().isPresent();
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    return it.kind() == Kind.MISSING_HERE ? refund(it, key) : refundAgain(it);
  }

  private String refund(Difference it, CallKey key) throws InterruptedException {
    BookEntry charge = it.theirs().getFirst();
    // The key of the step's compensation, should it come after all. Stripe refuses a second refund.
    CallKey refund = charge.callKey().map(PaymentGateway::refundOf).orElse(key);
    // The simulated gateway's book has the order as orderId, Stripe's as reference.
    UUID order = charge.id("orderId", "reference").orElse(NO_ORDER);
    gateway.refund(refund, order, it.reference(), amount(charge));
    return "refunded";
  }

  private String refundAgain(Difference it) throws InterruptedException {
    BookEntry payment = it.ours().getFirst();
    CallKey refund = PaymentGateway.refundOf(payment.callKey().orElseThrow());
    UUID order = payment.id("orderId").orElseThrow();
    return gateway.refundAgain(refund, order, it.reference(), amount(payment))
        ? "requested the refund again"
        : "nothing was requested: an operator has resolved the refund";
  }

  private static long amount(BookEntry entry) {
    return Objects.requireNonNull(entry.amount());
  }
}
