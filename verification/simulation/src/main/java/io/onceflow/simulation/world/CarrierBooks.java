package io.onceflow.simulation.world;

import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A carrier and its books: it books a key once, and answers the same again. */
final class CarrierBooks implements Carrier {

  static final String NOT_SERVED = "AQ";

  private final ExternalCalls outside;
  private final Invariants invariants;
  private final Map<CallKey, UUID> bookings = new LinkedHashMap<>();
  private final Map<CallKey, UUID> cancellations = new LinkedHashMap<>();
  private final Set<CallKey> voided = new HashSet<>();

  CarrierBooks(ExternalCalls outside, Invariants invariants) {
    this.outside = outside;
    this.invariants = invariants;
  }

  @Override
  public Outcome book(CallKey key, ArrangeShipment command) {
    return outside.ask("book " + key.step(), () -> booked(key, command));
  }

  private Outcome booked(CallKey key, ArrangeShipment command) {
    if (command.address().country().equals(NOT_SERVED)) {
      return new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED);
    }
    if (voided.contains(key)) {
      return new Outcome.Refused(RejectReason.CANCELLED);
    }
    if (bookings.putIfAbsent(key, command.orderId()) == null) {
      invariants.booked(command.orderId(), bookings(command.orderId()));
    }
    return new Outcome.Booked(number(key));
  }

  @Override
  public Outcome fetch(CallKey key, ArrangeReturn command) {
    throw new UnsupportedOperationException("no customer of this world gives anything back");
  }

  @Override
  public void cancel(CallKey key, UUID orderId, String trackingNumber) {
    outside.ask("cancel " + key.step(), () -> cancelled(key, orderId));
  }

  @Override
  public Optional<String> annul(CallKey booking, UUID orderId) {
    return outside.ask("annul " + booking.step(), () -> annulled(booking, orderId));
  }

  private Optional<String> annulled(CallKey booking, UUID orderId) {
    outside.settledDoubt(bookings.containsKey(booking));
    if (!bookings.containsKey(booking)) {
      voided.add(booking);
      return Optional.empty();
    }
    cancelled(Carrier.cancellationOf(booking), orderId);
    return Optional.of(number(booking));
  }

  private UUID cancelled(CallKey key, UUID orderId) {
    cancellations.putIfAbsent(key, orderId);
    return orderId;
  }

  private static String number(CallKey booking) {
    return "tr_" + booking.scope() + "_" + booking.step();
  }

  int bookings(UUID order) {
    return GatewayBooks.count(bookings, order);
  }

  int cancellations(UUID order) {
    return GatewayBooks.count(cancellations, order);
  }
}
