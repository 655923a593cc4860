package io.onceflow.quarkus.waiting;

import static java.time.Duration.ofMinutes;

import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.trip.Messages.CancelFlight;
import io.onceflow.quarkus.trip.Messages.FlightRefused;
import io.onceflow.quarkus.trip.Messages.FlightReserved;
import io.onceflow.quarkus.trip.Messages.ReserveFlight;
import jakarta.enterprise.context.ApplicationScoped;

/** Reserves flights that the airline may have to confirm. */
@ApplicationScoped
class WaitingFlights {

  private final SlowAirline airline;
  private final SeatRequests requests;

  WaitingFlights(SlowAirline airline, SeatRequests requests) {
    this.airline = airline;
    this.requests = requests;
  }

  @Handles
  @CallsOut
  Answer reserve(ReserveFlight command, CallKey key) {
    requests.keep(key); // before the airline is asked, whose event may be faster than its answer
    return switch (airline.reserve(key.value(), command.flight())) {
      case CONFIRMED -> Answer.done(new FlightReserved(command.tripId(), key.value()));
      case FULL -> Answer.refused(new FlightRefused(command.tripId(), "FULL"));
      case ON_REQUEST -> Answer.pending(ofMinutes(10));
    };
  }

  @Handles
  void cancel(CancelFlight command) {}
}
