package io.onceflow.shipping.domain;

import io.onceflow.participant.CallKey;
import java.util.Optional;
import java.util.UUID;

/**
 * The system that moves the parcels. What it will never do it refuses; an exception means that the
 * result is unknown, and the call is made again under the same key.
 *
 * <p>Each call may be made any number of times for one key, by this process or another; it must
 * then book or cancel once and answer the same. It may be interrupted at its deadline.
 */
public interface Carrier {

  /** Books a shipment. */
  Outcome book(CallKey key, ArrangeShipment command) throws InterruptedException;

  /** Books the fetching of an order from its customer. */
  Outcome fetch(CallKey key, ArrangeReturn command) throws InterruptedException;

  /**
   * Takes a booking back, of either kind.
   *
   * @param key of the cancellation; see {@link #cancellationOf}
   * @param orderId what was booked for
   * @param trackingNumber what {@link Outcome.Booked} named
   * @throws CancellationRefused if the carrier does not take it back
   */
  void cancel(CallKey key, UUID orderId, String trackingNumber) throws InterruptedException;

  /**
   * Settles a booking whose result is unknown: takes back what was booked under its key, as the
   * cancellation that {@link #cancellationOf} names, and lets nothing be booked under it any more,
   * not even by a call that is still in transit.
   *
   * @param booking the key of the booking
   * @param orderId what it was for
   * @return the tracking number of what was taken back; empty if nothing had been booked
   * @throws CancellationRefused if the carrier does not take back what was booked
   */
  Optional<String> annul(CallKey booking, UUID orderId) throws InterruptedException;

  /**
   * How far a parcel is, in the carrier's words, such as {@code in_transit}; empty if the carrier
   * does not tell.
   */
  default Optional<String> tracking(String trackingNumber) {
    return Optional.empty();
  }

  /**
   * The key of a booking's cancellation. It follows from the booking, not from the command that
   * asks: two commands that would take the same booking back are one cancellation to the carrier.
   */
  static CallKey cancellationOf(CallKey booking) {
    String step = booking.stepName();
    return booking.sibling(
        switch (step) {
          case "arrange-return" -> "cancel-return";
          case "arrange-shipment" -> "cancel-shipment";
          default -> step + "+cancellation";
        });
  }

  /** The carrier does not take a booking back; it may once an operator has removed the cause. */
  final class CancellationRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code the carrier's word for the cause
     */
    public CancellationRefused(String code, RuntimeException cause) {
      super(cause.getMessage(), cause);
      this.code = code;
    }

    /** The carrier's word for the cause, such as {@code rejected}. */
    public String code() {
      return code;
    }
  }

  /** The outcome of a booking. */
  sealed interface Outcome {

    /**
     * The parcel will be fetched.
     *
     * @param trackingNumber what the carrier calls the booking
     */
    record Booked(String trackingNumber) implements Outcome {}

    /** The parcel will not be fetched, and asking again would not change that. */
    record Refused(RejectReason reason) implements Outcome {}
  }
}
