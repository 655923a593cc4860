package io.onceflow.shipping.carrier;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.CarrierUnavailable;
import io.onceflow.shipping.domain.RejectReason;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stands in for a carrier, with the bad manners of real ones. Which of them it shows is chosen by
 * where the shipment goes ({@link Behaviour}). As real ones do, it books a key once, and answers
 * the same again. Any other bean that is a {@link Carrier} replaces it.
 */
@DefaultBean
@ApplicationScoped
class SimulatedCarrier implements Carrier {

  /** Slow enough to be noticed, and well within the deadline of a call. */
  private static final Duration SLOWNESS = Duration.ofSeconds(3);

  private final CarrierLedger ledger;

  SimulatedCarrier(CarrierLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public Outcome book(BookingKey key, ArrangeShipment command) throws InterruptedException {
    Behaviour behaviour = Behaviour.of(command.address());
    return behaviour == Behaviour.REFUSES
        ? new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED)
        : book(key, command.orderId(), behaviour);
  }

  @Override
  public Outcome fetch(BookingKey key, ArrangeReturn command) throws InterruptedException {
    Behaviour behaviour = Behaviour.ofReturn(command.address());
    return behaviour == Behaviour.REFUSES
        ? new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED)
        : book(key, command.orderId(), behaviour);
  }

  private Outcome book(BookingKey key, UUID order, Behaviour behaviour)
      throws InterruptedException {
    try {
      return switch (behaviour) {
        case BOOKS, REFUSES -> booked(key, order);
        case LOSES_FIRST_ANSWER -> bookedButAnsweredLater(key, order);
        case IS_UNAVAILABLE_TWICE -> bookedThirdTime(key, order);
        case IS_SLOW -> bookedSlowly(key, order);
        case NEVER_ANSWERS -> never(key);
      };
    } catch (SQLException e) {
      throw new CarrierUnavailable(key, "its books: " + e.getMessage());
    }
  }

  @Override
  public void cancel(BookingKey key, UUID orderId, String trackingNumber) {
    try {
      ledger.cancel(key, orderId, trackingNumber);
    } catch (SQLException e) {
      throw new CarrierUnavailable(key, "its books: " + e.getMessage());
    }
  }

  @Override
  public Optional<String> annul(BookingKey booking, UUID orderId) {
    try {
      Optional<String> booked = ledger.makeVoid(booking, orderId);
      if (booked.isPresent()) {
        ledger.cancel(booking.cancellation(), orderId, booked.get());
      }
      return booked;
    } catch (SQLException e) {
      throw new CarrierUnavailable(booking, "its books: " + e.getMessage());
    }
  }

  private Outcome booked(BookingKey key, UUID order) throws SQLException, InterruptedException {
    String newNumber =
        "SIM-" + OutboxMessage.newId().toString().replace("-", "").toUpperCase(Locale.ROOT);
    return ledger
        .book(key, order, newNumber)
        .<Outcome>map(Outcome.Booked::new)
        .orElseGet(() -> new Outcome.Refused(RejectReason.CANCELLED));
  }

  private Outcome bookedButAnsweredLater(BookingKey key, UUID order)
      throws SQLException, InterruptedException {
    Outcome outcome = booked(key, order);
    if (ledger.countAttempt(key) == 1) {
      throw new CarrierUnavailable(key, "simulated: it booked and its answer was lost");
    }
    return outcome;
  }

  private Outcome bookedThirdTime(BookingKey key, UUID order)
      throws SQLException, InterruptedException {
    if (ledger.countAttempt(key) <= 2) {
      throw new CarrierUnavailable(key, "simulated: unavailable twice");
    }
    return booked(key, order);
  }

  private Outcome bookedSlowly(BookingKey key, UUID order)
      throws SQLException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SLOWNESS.toMillis());
    return booked(key, order);
  }

  /** Until the caller's deadline interrupts. */
  private static Outcome never(BookingKey key) throws InterruptedException {
    new CountDownLatch(1).await();
    throw new CarrierUnavailable(key, "simulated: down");
  }
}
