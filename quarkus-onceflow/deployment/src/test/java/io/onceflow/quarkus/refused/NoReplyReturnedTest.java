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

/** A record that says neither would be answered as done, a refusal too. */
@Tag("nightly")
class NoReplyReturnedTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          List.of(
              "Seats.reserve returns NoSeatLeft, which is annotated with neither @Done nor @Refused",
              "Seats.release returns String; a handler returns an Answer, a record annotated"
                  + " with @Done or @Refused, or nothing"),
          NoReplyReturnedTest.class);

  @Command("seat.reserve")
  record ReserveSeat(UUID tripId) {}

  record NoSeatLeft(UUID tripId) {}

  @Command("seat.release")
  record ReleaseSeat(UUID tripId) {}

  @ApplicationScoped
  static class Seats {

    @Handles
    NoSeatLeft reserve(ReserveSeat command) {
      return new NoSeatLeft(command.tripId());
    }

    @Handles
    String release(ReleaseSeat command) {
      return "released";
    }
  }

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
