package io.onceflow.payment.gateway;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    long amount = Objects.requireNonNull(charge.amount());
    gateway.refund(refundOf(charge).orElse(key), orderOf(charge), it.reference(), amount);
    return "refunded";
  }

  /**
   * The key under which the compensation of the step that has charged would refund, should it come
   * after all: the charge has one refund. Stripe's book does not tell of which step a charge is;
   * Stripe itself refuses a second refund.
   */
  private static Optional<CallKey> refundOf(BookEntry charge) {
    String customer = charge.evidence().get("customer");
    String stepKey = charge.evidence().get("idempotencyKey");
    if (customer == null || stepKey == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(PaymentGateway.refundOf(CallKey.of(customer, stepKey)));
    } catch (IllegalArgumentException notOfAStep) {
      return Optional.empty();
    }
  }

  /**
   * The simulated gateway's book has the order as {@code orderId}, Stripe's as {@code reference};
   * what another application has charged with the same account is for no order.
   */
  private static UUID orderOf(BookEntry charge) {
    Map<String, String> evidence = charge.evidence();
    String order = evidence.getOrDefault("orderId", evidence.getOrDefault("reference", ""));
    try {
      return UUID.fromString(order);
    } catch (IllegalArgumentException notOurs) {
      return NO_ORDER;
    }
  }
}
