package io.onceflow.quarkus.refused;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class UndoneElsewhereTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          "CancelFlight undoes ReserveFlight, which no method of this application handles",
          UndoneElsewhereTest.class);

  @Command("flight.reserve")
  record ReserveFlight(UUID tripId) {}

  @Command("flight.cancel")
  @Undoes(ReserveFlight.class)
  record CancelFlight(UUID tripId) {}

  @ApplicationScoped
  static class Flights {
    @Handles
    void cancel(CancelFlight command) {}
  }

  @Test
  void aCompensationWithoutItsActionFailsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
