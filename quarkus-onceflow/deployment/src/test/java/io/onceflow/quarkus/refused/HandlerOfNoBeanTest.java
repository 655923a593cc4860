package io.onceflow.quarkus.refused;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class HandlerOfNoBeanTest {

  /** Seen red: it was advised to annotate the abstract class, which would be no bean either. */
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          List.of(
              "Flights.reserve is annotated with @Handles, but its class is no bean; annotate that"
                  + " with @ApplicationScoped",
              "Seats.hold is annotated with @Handles, but its class is abstract, which no bean is;"
                  + " move the method to the class of a bean"),
          HandlerOfNoBeanTest.class);

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId) {}

  @Command("seat.hold")
  record HoldSeat(UUID tripId) {}

  static class Flights {
    @Handles
    void reserve(ReserveFlight command) {}
  }

  abstract static class Seats {
    @Handles
    void hold(HoldSeat command) {}
  }

  @ApplicationScoped
  static class WindowSeats extends Seats {}

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
