package io.onceflow.saga.trip;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** What the travel company asks of others, and what they answer. */
final class Messages {

  private Messages() {}

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId, String flight) {}

  @Done(ReserveFlight.class)
  record FlightReserved(UUID tripId, String reference) {}

  @Undoes(ReserveFlight.class)
  @Command("flight.cancel")
  record CancelFlight(UUID tripId) {}

  @Command("card.charge")
  record ChargeCard(UUID tripId) {}

  /** Not a reply: an event that a saga waits for itself. */
  record ContractSigned(String by) {}
}
