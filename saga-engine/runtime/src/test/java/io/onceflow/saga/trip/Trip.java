package io.onceflow.saga.trip;

import io.onceflow.saga.trip.Messages.CancelFlight;
import io.onceflow.saga.trip.Messages.ChargeCard;
import io.onceflow.saga.trip.Messages.ContractSigned;
import io.onceflow.saga.trip.Messages.FlightReserved;
import io.onceflow.saga.trip.Messages.ReserveFlight;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An entity that knows nothing of sagas. */
@Entity
class Trip {

  @Id UUID id = UUID.randomUUID();
  String flight = "";
  String status = "BOOKING";
  @Nullable String reference;

  ReserveFlight reserveFlight() {
    return new ReserveFlight(id, flight);
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
    reference = reply.reference();
  }

  void signed(ContractSigned contract) {
    reference = contract.by();
  }

  void confirm() {
    if (flight.equals("UNCONFIRMABLE")) {
      throw new IllegalStateException("this trip cannot be confirmed");
    }
    status = "CONFIRMED";
  }

  void cancelled(String reason) {
    status = "CANCELLED " + reason;
  }
}
