package io.onceflow.simulated;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A simulated system whose effects cost nothing and have numbers that it gives them, such as the
 * bookings of a carrier. The postal code chooses how it answers.
 */
public final class SimulatedBookings {

  private final SimulatedSystem system;

  /**
   * @param name in messages, such as {@code carrier}
   */
  public SimulatedBookings(String name, SimulatedLedger ledger, SimulatedOutsideConfig config) {
    this.system = new SimulatedSystem(name, ledger, config.latency());
  }

  /**
   * Books.
   *
   * @return the booking's number; empty if the key was annulled
   */
  public Optional<String> book(EffectKey key, UUID orderId, String postalCode)
      throws InterruptedException {
    String number = "SIM-" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    return system.book(
        key, new SimulatedEffect(orderId, number), Behaviour.ofPostalCode(postalCode));
  }

  /** Cancels the booking of this number. */
  public void cancel(EffectKey key, UUID orderId, String number) {
    system.undo(key, new SimulatedEffect(orderId, number));
  }

  /**
   * Cancels what was booked under a key, and lets nothing be booked under it any more.
   *
   * @return the number of what was cancelled; empty if nothing had been booked
   */
  public Optional<String> annul(EffectKey booking, EffectKey cancellation, UUID orderId)
      throws InterruptedException {
    return system.annul(booking, cancellation, orderId).map(SimulatedEffect::reference);
  }
}
