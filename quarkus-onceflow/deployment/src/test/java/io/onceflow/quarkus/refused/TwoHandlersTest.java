package io.onceflow.quarkus.refused;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TwoHandlersTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with("both handle ReserveFlight; a command has one handler", TwoHandlersTest.class);

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId) {}

  @ApplicationScoped
  static class Flights {
    @Handles
    void reserve(ReserveFlight command) {}
  }

  @ApplicationScoped
  static class OtherFlights {
    @Handles
    void reserve(ReserveFlight command) {}
  }

  @Test
  void ofOneCommandFailTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
