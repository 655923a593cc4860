package io.onceflow.shipping.carrier;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.simulated.Behaviour;
import io.onceflow.simulated.EffectKey;
import io.onceflow.simulated.SimulatedEffect;
import io.onceflow.simulated.SimulatedOutsideConfig;
import io.onceflow.simulated.SimulatedSystem;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Stands in for a carrier. The address chooses how it answers. Any other bean that is a {@link
 * Carrier} replaces it.
 */
@DefaultBean
@ApplicationScoped
class SimulatedCarrier implements Carrier {

  private final SimulatedSystem carrier;

  SimulatedCarrier(CarrierLedger ledger, SimulatedOutsideConfig config) {
    this.carrier = new SimulatedSystem("carrier", ledger, config.latency());
  }

  @Override
  public Outcome book(CallKey key, ArrangeShipment command) throws InterruptedException {
    return isServed(command.address())
        ? book(key, command.orderId(), command.address())
        : new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED);
  }

  @Override
  public Outcome fetch(CallKey key, ArrangeReturn command) throws InterruptedException {
    return isServed(command.address()) && !command.address().postalCode().equals("SIM-NO-RETURNS")
        ? book(key, command.orderId(), command.address())
        : new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED);
  }

  /** It does not go to Antarctica. */
  private static boolean isServed(Address address) {
    return !address.country().equals("AQ");
  }

  private Outcome book(CallKey key, UUID order, Address address) throws InterruptedException {
    String newNumber =
        "SIM-" + OutboxMessage.newId().toString().replace("-", "").toUpperCase(Locale.ROOT);
    return carrier
        .book(effectKey(key), new SimulatedEffect(order, newNumber), behaviour(address))
        .<Outcome>map(Outcome.Booked::new)
        .orElseGet(() -> new Outcome.Refused(RejectReason.CANCELLED));
  }

  private static Behaviour behaviour(Address address) {
    return switch (address.postalCode()) {
      case "SIM-LOST-ANSWER" -> Behaviour.LOSES_FIRST_ANSWER;
      case "SIM-UNAVAILABLE-TWICE" -> Behaviour.IS_UNAVAILABLE_TWICE;
      case "SIM-SLOW" -> Behaviour.IS_SLOW;
      case "SIM-DOWN" -> Behaviour.NEVER_ANSWERS;
      default -> Behaviour.ANSWERS;
    };
  }

  @Override
  public void cancel(CallKey key, UUID orderId, String trackingNumber) {
    carrier.undo(effectKey(key), new SimulatedEffect(orderId, trackingNumber));
  }

  @Override
  public Optional<String> annul(CallKey booking, UUID orderId) throws InterruptedException {
    return carrier
        .annul(effectKey(booking), effectKey(Carrier.cancellationOf(booking)), orderId)
        .map(SimulatedEffect::reference);
  }

  private static EffectKey effectKey(CallKey key) {
    return new EffectKey(key.scope(), key.stepKey());
  }
}
