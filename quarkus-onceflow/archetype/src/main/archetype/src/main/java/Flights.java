package ${package};

import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;

/** Reserves flights at the airline, and cancels them. */
@ApplicationScoped
public class Flights {

  private final Airline airline;

  Flights(Airline airline) {
    this.airline = airline;
  }

  @Handles
  @CallsOut(deadline = "6s", attempts = 6)
  FlightReserved reserve(ReserveFlight command, CallKey key) {
    String seat = airline.reserve(key.value(), command.tripId(), command.flight());
    return new FlightReserved(command.tripId(), seat);
  }

  @Handles
  @CallsOut
  void cancel(CancelFlight command, CallKey key, CallKey reserved) {
    airline.cancel(key.value(), command.tripId(), reserved.value());
  }
}
