package io.onceflow.payment.gateway;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.simulated.Behaviour;
import io.onceflow.simulated.EffectKey;
import io.onceflow.simulated.LedgerNames;
import io.onceflow.simulated.NotSettled;
import io.onceflow.simulated.SimulatedEffect;
import io.onceflow.simulated.SimulatedLedger;
import io.onceflow.simulated.SimulatedOutsideConfig;
import io.onceflow.simulated.SimulatedSystem;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Stands in for a payment gateway. The payment method chooses how it answers. */
@ApplicationScoped
@Typed(SimulatedGateway.class)
class SimulatedGateway implements PaymentGateway {

  private static final Logger LOG = Logger.getLogger(SimulatedGateway.class);

  /** It tells of nothing by itself. */
  private static final Duration LOOK_AGAIN_AFTER = Duration.ofSeconds(2);

  private final SimulatedSystem gateway;

  SimulatedGateway(SimulatedLedger ledger, SimulatedOutsideConfig config) {
    this.gateway = new SimulatedSystem("gateway", ledger, config.latency());
  }

  @Produces
  @Singleton
  static SimulatedLedger ledger(SimulatedOutsideConfig config, DataSource database) {
    return SimulatedLedger.of(
        config,
        database,
        new LedgerNames("simulated_gateway", "CHARGE", "REFUND", "reference", true));
  }

  @Override
  public Outcome charge(CallKey key, ProcessPayment command) throws InterruptedException {
    return switch (command.paymentMethod()) {
      case "pm_card_visa" -> charge(key, command, Behaviour.ANSWERS);
      case "pm_card_chargeDeclined" -> new Outcome.Declined(DeclineReason.CARD_DECLINED);
      case "pm_card_chargeDeclinedInsufficientFunds" ->
          new Outcome.Declined(DeclineReason.INSUFFICIENT_FUNDS);
      case "pm_sim_lost_answer" -> charge(key, command, Behaviour.LOSES_FIRST_ANSWER);
      case "pm_sim_unavailable_twice" -> charge(key, command, Behaviour.IS_UNAVAILABLE_TWICE);
      case "pm_sim_pending" -> charge(key, command, Behaviour.SETTLES_LATER);
      case "pm_sim_never_settled" -> charge(key, command, Behaviour.NEVER_SETTLES);
      case "pm_sim_slow" -> charge(key, command, Behaviour.IS_SLOW);
      case "pm_sim_down" -> charge(key, command, Behaviour.NEVER_ANSWERS);
      default -> declineAsUnknown(key);
    };
  }

  private Outcome charge(CallKey key, ProcessPayment command, Behaviour behaviour)
      throws InterruptedException {
    String reference = "ch_" + OutboxMessage.newId().toString().replace("-", "");
    SimulatedEffect charge =
        new SimulatedEffect(command.orderId(), reference, command.amount(), command.currency());
    try {
      return gateway
          .book(effectKey(key), charge, behaviour)
          .<Outcome>map(Outcome.Charged::new)
          .orElseGet(() -> new Outcome.Declined(DeclineReason.CANCELLED));
    } catch (NotSettled later) {
      return new Outcome.Pending(LOOK_AGAIN_AFTER);
    }
  }

  private static Outcome declineAsUnknown(CallKey key) {
    LOG.infof("the simulated gateway knows no such payment method: %s declined", key.step());
    return new Outcome.Declined(DeclineReason.CARD_DECLINED);
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    gateway.undo(effectKey(key), new SimulatedEffect(orderId, charge, amount, ""));
  }

  @Override
  public Optional<Annulled> annul(CallKey charge, UUID orderId) throws InterruptedException {
    return gateway
        .annul(effectKey(charge), effectKey(PaymentGateway.refundOf(charge)), orderId)
        .map(it -> new Annulled(it.reference(), it.amount(), it.currency()));
  }

  private static EffectKey effectKey(CallKey key) {
    return new EffectKey(key.scope(), key.stepKey());
  }
}
