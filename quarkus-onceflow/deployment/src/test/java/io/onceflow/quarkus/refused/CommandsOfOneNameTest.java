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
class CommandsOfOneNameTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          List.of(
              "a command's type is the record's name",
              Flights.Reserve.class.getName(),
              Hotels.Reserve.class.getName()),
          CommandsOfOneNameTest.class);

  @ApplicationScoped
  static class Flights {

    @Command("flight.reserve")
    record Reserve(UUID tripId) {}

    @Handles
    void reserve(Reserve command) {}
  }

  @ApplicationScoped
  static class Hotels {

    @Command("hotel.reserve")
    record Reserve(UUID tripId) {}

    @Handles
    void reserve(Reserve command) {}
  }

  @Test
  void failTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
