package io.onceflow.simulation.world;

import io.onceflow.shipping.domain.ArrangeShipmentCommand;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.CarrierUnavailable;
import io.onceflow.shipping.domain.RejectReason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** A carrier and its books: it books a key once, and answers the same again. */
final class Parcels implements Carrier {

  static final String NOT_SERVED = "AQ";

  private final Outside outside;
  private final Invariants invariants;
  private final Map<BookingKey, UUID> bookings = new LinkedHashMap<>();
  private final Map<BookingKey, UUID> cancellations = new LinkedHashMap<>();

  Parcels(Outside outside, Invariants invariants) {
    this.outside = outside;
    this.invariants = invariants;
  }

  @Override
  public Outcome book(BookingKey key, ArrangeShipmentCommand command) {
    return outside.ask(
        "book " + key, () -> booked(key, command), why -> new CarrierUnavailable(key, why));
  }

  private Outcome booked(BookingKey key, ArrangeShipmentCommand command) {
    if (command.address().country().equals(NOT_SERVED)) {
      return new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED);
    }
    if (bookings.putIfAbsent(key, command.orderId()) == null) {
      invariants.booked(command.orderId(), bookings(command.orderId()));
    }
    return new Outcome.Booked("tr_" + key.scope() + "_" + key);
  }

  @Override
  public void cancel(BookingKey key, UUID orderId, String trackingNumber) {
    outside.ask(
        "cancel " + key, () -> cancelled(key, orderId), why -> new CarrierUnavailable(key, why));
  }

  private UUID cancelled(BookingKey key, UUID orderId) {
    cancellations.putIfAbsent(key, orderId);
    return orderId;
  }

  int bookings(UUID order) {
    return Gateway.count(bookings, order);
  }

  int cancellations(UUID order) {
    return Gateway.count(cancellations, order);
  }
}
