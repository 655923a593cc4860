package io.onceflow.quarkus.trip;

import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.trip.Messages.CancelFlight;
import io.onceflow.quarkus.trip.Messages.FlightRefused;
import io.onceflow.quarkus.trip.Messages.FlightReserved;
import io.onceflow.quarkus.trip.Messages.ReserveFlight;
import jakarta.enterprise.context.ApplicationScoped;

/** Reserves flights at the airline, and keeps no rows. */
@ApplicationScoped
class Flights {

  private final Airline airline;

  Flights(Airline airline) {
    this.airline = airline;
  }

  @Handles
  @CallsOut(deadline = "6s", attempts = 6)
  Answer reserve(ReserveFlight command, CallKey key) {
    return airline
        .reserve(key.value(), command.flight())
        .<Answer>map(reference -> Answer.done(new FlightReserved(command.tripId(), reference)))
        .orElseGet(() -> Answer.refused(new FlightRefused(command.tripId(), "FULL")));
  }

  @Handles
  @CallsOut
  void cancel(CancelFlight command, CallKey key, CallKey reserved) {
    airline.annul(reserved.value(), key.value());
  }
}
