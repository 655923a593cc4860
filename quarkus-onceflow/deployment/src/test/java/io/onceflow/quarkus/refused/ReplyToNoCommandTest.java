package io.onceflow.quarkus.refused;

import io.onceflow.message.Done;
import io.quarkus.test.QuarkusUnitTest;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class ReplyToNoCommandTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          "FlightReserved is annotated with @Done(Trip.class), which is no record annotated with @Command",
          ReplyToNoCommandTest.class);

  record Trip(UUID id) {}

  @Done(Trip.class)
  record FlightReserved(UUID tripId) {}

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
