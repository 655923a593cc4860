package io.onceflow.quarkus.trip;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** The messages of a travel company. */
public final class Messages {

  private Messages() {}

  /** Asks for a seat. */
  @Command("flight.reserve")
  public record ReserveFlight(UUID tripId, String flight) {}

  /** There is one. */
  @Done(ReserveFlight.class)
  public record FlightReserved(UUID tripId, String reference) {}

  /** There is none. */
  @Refused(ReserveFlight.class)
  public record FlightRefused(UUID tripId, String reason) {}

  /** Asks for the seat to be given up. */
  @Command("flight.cancel")
  @Undoes(ReserveFlight.class)
  public record CancelFlight(UUID tripId) {}

  /** Asks for points. */
  @Command("loyalty.award")
  public record AwardPoints(UUID accountId, int points) {}

  /** They are there. */
  @Done(AwardPoints.class)
  public record PointsAwarded(UUID accountId, int balance) {}

  /** Asks for the points back. */
  @Command("loyalty.revoke")
  @Undoes(AwardPoints.class)
  public record RevokePoints(UUID accountId) {}
}
