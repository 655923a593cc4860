package io.onceflow.simulation.world;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A payment gateway and its books: it moves the money of a key once, and answers the same again.
 */
final class GatewayBooks implements PaymentGateway {

  static final String DECLINED = "pm_declined";

  private final ExternalCalls outside;
  private final Invariants invariants;
  private final Map<CallKey, UUID> charges = new LinkedHashMap<>();
  private final Map<CallKey, UUID> refunds = new LinkedHashMap<>();
  private final Map<CallKey, Long> amounts = new LinkedHashMap<>();
  private final Set<CallKey> voided = new HashSet<>();
  private final Map<String, UUID> orders = new LinkedHashMap<>();

  GatewayBooks(ExternalCalls outside, Invariants invariants) {
    this.outside = outside;
    this.invariants = invariants;
  }

  @Override
  public Outcome charge(CallKey key, ProcessPayment command) {
    return outside.ask("charge " + key.step(), () -> charged(key, command));
  }

  private Outcome charged(CallKey key, ProcessPayment command) {
    if (command.paymentMethod().equals(DECLINED)) {
      return new Outcome.Declined(DeclineReason.CARD_DECLINED);
    }
    if (voided.contains(key)) {
      return new Outcome.Declined(DeclineReason.CANCELLED);
    }
    String reference = reference(key);
    amounts.put(key, command.amount());
    if (charges.putIfAbsent(key, command.orderId()) == null) {
      orders.put(reference, command.orderId());
      invariants.charged(command.orderId(), charges(command.orderId()));
    }
    return new Outcome.Charged(reference);
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    outside.ask("refund " + key.step(), () -> refunded(key, charge));
  }

  @Override
  public Optional<Annulled> annul(CallKey charge, UUID orderId) {
    return outside.ask("annul " + charge.step(), () -> annulled(charge));
  }

  private Optional<Annulled> annulled(CallKey charge) {
    outside.settledDoubt(charges.containsKey(charge));
    if (!charges.containsKey(charge)) {
      voided.add(charge);
      return Optional.empty();
    }
    refunded(PaymentGateway.refundOf(charge), reference(charge));
    return Optional.of(new Annulled(reference(charge), amounts.get(charge), "EUR"));
  }

  private static String reference(CallKey charge) {
    return "ch_" + charge.scope() + "_" + charge.step();
  }

  private UUID refunded(CallKey key, String charge) {
    UUID order = orders.get(charge);
    if (order == null) {
      throw new IllegalStateException("there is no charge " + charge);
    }
    if (refunds.putIfAbsent(key, order) == null) {
      invariants.refunded(order, charges(order), refunds(order));
    }
    return order;
  }

  /** How often an order was charged. */
  int charges(UUID order) {
    return count(charges, order);
  }

  /** How often an order's money was given back. */
  int refunds(UUID order) {
    return count(refunds, order);
  }

  static int count(Map<?, UUID> entries, UUID order) {
    return (int) entries.values().stream().filter(order::equals).count();
  }
}
