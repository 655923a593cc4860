package ${package};

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;

import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class BookTrip implements Saga<Trip> {

  @Override
  public SagaDefinition<Trip> definition() {
    return saga(
            "book-trip",
            1,
            step("reserve-flight")
                .send(ReserveFlight.class, Trip::reserveFlight)
                .compensateWith("cancel-flight", CancelFlight.class, Trip::cancelFlight)
                .on(FlightReserved.class, Trip::flightReserved),
            step("charge-card").send(ChargeCard.class, Trip::chargeCard),
            pivot("confirm").run(Trip::confirm))
        .onCompensated(Trip::cancel);
  }
}
