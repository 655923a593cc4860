package io.onceflow.saga.trip;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.trip.Messages.CancelFlight;
import io.onceflow.saga.trip.Messages.ChargeCard;
import io.onceflow.saga.trip.Messages.FlightReserved;
import io.onceflow.saga.trip.Messages.ReserveFlight;
import jakarta.enterprise.context.ApplicationScoped;

/** Books a trip. */
@ApplicationScoped
class BookTrip implements Saga<Trip> {

  @Override
  public SagaDefinition<Trip> definition() {
    return saga(
            "book-trip",
            1,
            step("reserve-flight")
                .send(ReserveFlight.class, Trip::reserveFlight)
                .compensateWith("cancel-flight", CancelFlight.class, Trip::cancelFlight)
                .on(FlightReserved.class, Trip::checkFlight, Trip::flightReserved),
            pivot("charge-card").send(ChargeCard.class, Trip::chargeCard),
            step("confirm").run(Trip::confirm))
        .onCompensated(Trip::cancelled)
        .searchableBy("flight", trip -> trip.flight);
  }
}
