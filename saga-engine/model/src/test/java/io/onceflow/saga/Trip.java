package io.onceflow.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A subject that changes itself, as an entity does, and knows nothing of sagas. */
final class Trip {

  static final SagaDefinition<Trip> DEFINITION =
      saga(
              "book-trip",
              1,
              step("reserve-flight")
                  .send(ReserveFlight.class, Trip::reserveFlight)
                  .compensateWith("cancel-flight", CancelFlight.class, Trip::cancelFlight)
                  .on(FlightReserved.class, Trip::checkFlight, Trip::flightReserved)
                  .on(FlightCancelled.class, Trip::flightCancelled),
              pivot("charge-card")
                  .send(ChargeCard.class, Trip::chargeCard)
                  .on(CardCharged.class, Trip::charged)
                  .on(CardRefused.class, Trip::cardRefused),
              step("confirm").run(Trip::confirm))
          .onCompensated(Trip::cancelled);

  final UUID id = new UUID(0, 9);
  final List<String> marks = new ArrayList<>();

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId, String flight) {}

  @Done(ReserveFlight.class)
  record FlightReserved(UUID tripId, String reference) {}

  @Undoes(ReserveFlight.class)
  @Command("flight.cancel")
  record CancelFlight(UUID tripId) {}

  @Done(CancelFlight.class)
  record FlightCancelled(UUID tripId) {}

  @Command("card.charge")
  record ChargeCard(UUID tripId) {}

  @Done(ChargeCard.class)
  record CardCharged(UUID tripId) {}

  @Refused(ChargeCard.class)
  record CardRefused(UUID tripId, String reason) {}

  /** Not a command. */
  record PaintTheFence(UUID tripId) {}

  ReserveFlight reserveFlight() {
    return new ReserveFlight(id, "LH 400");
  }

  CancelFlight cancelFlight() {
    return new CancelFlight(id);
  }

  ChargeCard chargeCard() {
    return new ChargeCard(id);
  }

  Optional<String> checkFlight(FlightReserved reply) {
    return reply.tripId().equals(id) ? Optional.empty() : Optional.of("it is of another trip");
  }

  void flightReserved(FlightReserved reply) {
    marks.add("reserved " + reply.reference());
  }

  void flightCancelled(FlightCancelled reply) {
    marks.add("flight cancelled");
  }

  void charged(CardCharged reply) {
    marks.add("charged");
  }

  void cardRefused(CardRefused reply) {
    marks.add("refused " + reply.reason());
  }

  void confirm() {
    marks.add("confirmed");
  }

  void cancelled(String reason) {
    marks.add("cancelled for " + reason);
  }
}
