package ${package};

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.util.UUID;

@Command("flight.reserve")
record ReserveFlight(UUID tripId, String flight) {}

@Done(ReserveFlight.class)
record FlightReserved(UUID tripId, String reference) {}

@Command("flight.cancel")
@Undoes(ReserveFlight.class)
record CancelFlight(UUID tripId) {}

@Command("card.charge")
record ChargeCard(UUID tripId, long amount) {}

@Done(ChargeCard.class)
record CardCharged(UUID tripId) {}

@Refused(ChargeCard.class)
record CardRefused(UUID tripId, String reason) {}
