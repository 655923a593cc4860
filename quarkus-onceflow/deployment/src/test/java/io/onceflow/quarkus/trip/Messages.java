package io.onceflow.quarkus.trip;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import java.util.List;
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
  public record AwardPoints(
      @NotNull UUID accountId, @Positive int points, List<@Valid Bonus> more) {

    /** And for more of them. */
    public record Bonus(@NotBlank String why) {}
  }

  /** They are there. */
  @Done(AwardPoints.class)
  public record PointsAwarded(UUID accountId, int balance) {}

  /** Asks for the points back. */
  @Command("loyalty.revoke")
  @Undoes(AwardPoints.class)
  public record RevokePoints(UUID accountId) {}
}
