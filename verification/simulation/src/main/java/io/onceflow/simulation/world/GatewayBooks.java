package io.onceflow.simulation.world;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.SeededRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A payment gateway and its books: it moves the money of a key once, and answers the same again.
 */
final class GatewayBooks implements PaymentGateway {

  static final String DECLINED = "pm_declined";

  /** The gateway decides about it later, or never, and tells so by events that may be lost. */
  static final String SETTLED_LATER = "pm_settled_later";

  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMinutes(30);

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long WEEKEND = Duration.ofDays(3).toNanos();

  private final ExternalCalls outside;
  private final Invariants invariants;
  private final Kernel kernel;
  private final SeededRandom chance;
  private final Map<CallKey, UUID> charges = new LinkedHashMap<>();
  private final Map<CallKey, UUID> refunds = new LinkedHashMap<>();
  private final Map<CallKey, Long> amounts = new LinkedHashMap<>();
  private final Set<CallKey> voided = new HashSet<>();
  private final Map<String, UUID> orders = new LinkedHashMap<>();
  private final Set<CallKey> takenOn = new HashSet<>();
  private final Set<CallKey> declinedLater = new HashSet<>();
  private Consumer<CallKey> events = key -> {};

  GatewayBooks(ExternalCalls outside, Invariants invariants, Kernel kernel, SeededRandom chance) {
    this.outside = outside;
    this.invariants = invariants;
    this.kernel = kernel;
    this.chance = chance;
  }

  /** Where it tells that it has decided about a charge. */
  void tellTo(Consumer<CallKey> webhook) {
    events = webhook;
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
    if (command.paymentMethod().equals(SETTLED_LATER) && !charges.containsKey(key)) {
      return declinedLater.contains(key)
          ? new Outcome.Declined(DeclineReason.CARD_DECLINED)
          : takenOn(key, command);
    }
    return charge(key, command.orderId(), command.amount());
  }

  private Outcome takenOn(CallKey key, ProcessPayment command) {
    if (takenOn.add(key) && chance.of(0.85)) {
      long time = chance.below((chance.of(0.4) ? SECOND : chance.of(0.6) ? HOUR : WEEKEND));
      kernel.after(time, () -> settle(key, command));
    }
    return new Outcome.Pending(LOOK_AGAIN_AFTER);
  }

  /** What was annulled meanwhile is not charged. */
  private void settle(CallKey key, ProcessPayment command) {
    if (chance.of(0.2)) {
      declinedLater.add(key);
    } else if (!voided.contains(key)) {
      charge(key, command.orderId(), command.amount());
    }
    kernel.tell("gateway", () -> "has settled " + key.step());
    for (int told = chance.below(3); told > 0; told--) {
      kernel.after(chance.below(SECOND), () -> events.accept(key));
    }
  }

  private Outcome charge(CallKey key, UUID order, long amount) {
    String reference = reference(key);
    amounts.put(key, amount);
    if (charges.putIfAbsent(key, order) == null) {
      orders.put(reference, order);
      invariants.charged(order, charges(order));
    }
    return new Outcome.Charged(reference);
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    boolean isGivenBack = outside.ask("refund " + key.step(), () -> givenBack(key, charge));
    if (!isGivenBack) {
      throw new RefundRefused("disputed", new IllegalStateException("declined for now"));
    }
  }

  private boolean givenBack(CallKey key, String charge) {
    if (!refunds.containsKey(key) && outside.declines()) {
      return false;
    }
    refunded(key, charge);
    return true;
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

  private void refunded(CallKey key, String charge) {
    UUID order = orders.get(charge);
    if (order == null) {
      throw new IllegalStateException("there is no charge " + charge);
    }
    if (refunds.putIfAbsent(key, order) == null) {
      invariants.refunded(order, charges(order), refunds(order));
    }
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
