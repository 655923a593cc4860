package io.onceflow.shipping.domain;

import java.util.Optional;
import java.util.UUID;

/**
 * Whoever moves the parcels. Failures come in three kinds: what it will never do it refuses; when
 * nobody knows what happened it throws {@link CarrierUnavailable}, or anything else, and is asked
 * again; when it was not even asked, {@link io.onceflow.inbox.CallNotPermitted}.
 *
 * <p>All calls may be made again and again for one key, by this process or another, and must then
 * book or cancel once and answer the same. They may take their time and may be interrupted; an
 * exception means that nobody knows what happened.
 */
public interface Carrier {

  /**
   * Books a shipment.
   *
   * @param key what this booking is known by
   * @param command what goes where
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  Outcome book(BookingKey key, ArrangeShipment command) throws InterruptedException;

  /**
   * Books the fetching of an order from its customer.
   *
   * @param key what this booking is known by
   * @param command what comes from where
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  Outcome fetch(BookingKey key, ArrangeReturn command) throws InterruptedException;

  /**
   * Takes a booking back, of either kind.
   *
   * @param key what this cancellation is known by
   * @param orderId whose booking it is
   * @param trackingNumber what {@link Outcome.Booked} named
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  void cancel(BookingKey key, UUID orderId, String trackingNumber) throws InterruptedException;

  /**
   * Settles a booking of which nobody knows whether it was made: takes back what was booked under
   * its key, as the cancellation that {@link BookingKey#cancellation()} names, and lets nothing be
   * booked under it any more, not even by a call that is still on its way.
   *
   * @param booking what the booking was or would be known by
   * @param orderId what it was for
   * @return the tracking number of what was taken back; empty when nothing had been booked
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  Optional<String> annul(BookingKey booking, UUID orderId) throws InterruptedException;

  /** What came of a booking. */
  sealed interface Outcome {

    /**
     * The parcel will be fetched.
     *
     * @param trackingNumber what the carrier calls the booking
     */
    record Booked(String trackingNumber) implements Outcome {}

    /** Nobody will come, and asking again would not change that. */
    record Refused(RejectReason reason) implements Outcome {}
  }
}
