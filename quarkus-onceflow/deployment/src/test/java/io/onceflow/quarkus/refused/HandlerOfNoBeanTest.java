package io.onceflow.quarkus.refused;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HandlerOfNoBeanTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          "Flights.reserve is annotated with @Handles, but its class is no bean",
          HandlerOfNoBeanTest.class);

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId) {}

  static class Flights {
    @Handles
    void reserve(ReserveFlight command) {}
  }

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
