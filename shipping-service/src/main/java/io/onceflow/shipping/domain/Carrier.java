package io.onceflow.shipping.domain;

import java.util.UUID;

/**
 * Whoever moves the parcels. All calls may be made again and again for one key, by this process or
 * another, and must then book or cancel once and answer the same. They may take their time and may
 * be interrupted; an exception means that nobody knows what happened.
 */
public interface Carrier {

  /**
   * Books a shipment.
   *
   * @param key what this booking is known by
   * @param command what goes where
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  Outcome book(BookingKey key, ArrangeShipmentCommand command) throws InterruptedException;

  /**
   * Books the fetching of an order from its customer.
   *
   * @param key what this booking is known by
   * @param command what comes from where
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  Outcome fetch(BookingKey key, ArrangeReturnCommand command) throws InterruptedException;

  /**
   * Takes a booking back, of either kind.
   *
   * @param key what this cancellation is known by
   * @param orderId whose booking it is
   * @param trackingNumber what {@link Outcome.Booked} named
   * @throws CarrierUnavailable when there was no answer; ask again under the same key
   */
  void cancel(BookingKey key, UUID orderId, String trackingNumber) throws InterruptedException;

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
