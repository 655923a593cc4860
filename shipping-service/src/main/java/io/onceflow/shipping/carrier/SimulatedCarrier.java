package io.onceflow.shipping.carrier;

import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.simulated.EffectKey;
import io.onceflow.simulated.LedgerNames;
import io.onceflow.simulated.SimulatedBookings;
import io.onceflow.simulated.SimulatedLedger;
import io.onceflow.simulated.SimulatedOutsideConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Stands in for a carrier. The address chooses how it answers. It does not go to Antarctica. */
@ApplicationScoped
@Typed(SimulatedCarrier.class)
class SimulatedCarrier implements Carrier {

  private final SimulatedBookings bookings;

  SimulatedCarrier(SimulatedLedger ledger, SimulatedOutsideConfig config) {
    this.bookings = new SimulatedBookings("carrier", ledger, config);
  }

  /** Bookings and cancellations cost nothing. */
  @Produces
  @Singleton
  static SimulatedLedger ledger(SimulatedOutsideConfig config, DataSource database) {
    return SimulatedLedger.of(
        config,
        database,
        new LedgerNames("simulated_carrier", "BOOKING", "CANCELLATION", "tracking_number", false));
  }

  @Override
  public Outcome book(CallKey key, ArrangeShipment command) throws InterruptedException {
    return command.address().country().equals("AQ")
        ? new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED)
        : book(key, command.orderId(), command.address());
  }

  @Override
  public Outcome fetch(CallKey key, ArrangeReturn command) throws InterruptedException {
    Address from = command.address();
    return from.country().equals("AQ") || from.postalCode().equals("SIM-NO-RETURNS")
        ? new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED)
        : book(key, command.orderId(), from);
  }

  private Outcome book(CallKey key, UUID orderId, Address address) throws InterruptedException {
    return bookings
        .book(effectKey(key), orderId, address.postalCode())
        .<Outcome>map(Outcome.Booked::new)
        .orElseGet(() -> new Outcome.Refused(RejectReason.CANCELLED));
  }

  @Override
  public void cancel(CallKey key, UUID orderId, String trackingNumber) {
    bookings.cancel(effectKey(key), orderId, trackingNumber);
  }

  @Override
  public Optional<String> annul(CallKey booking, UUID orderId) throws InterruptedException {
    CallKey cancellation = Carrier.cancellationOf(booking);
    return bookings.annul(effectKey(booking), effectKey(cancellation), orderId);
  }

  private static EffectKey effectKey(CallKey key) {
    return new EffectKey(key.scope(), key.stepKey());
  }
}
