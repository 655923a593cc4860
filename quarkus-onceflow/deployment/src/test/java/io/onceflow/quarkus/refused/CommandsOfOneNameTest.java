package io.onceflow.quarkus.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CommandsOfOneNameTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .overrideConfigKey("quarkus.devservices.enabled", "false")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      Flights.class,
                      Flights.Reserve.class,
                      Hotels.class,
                      Hotels.Reserve.class,
                      Refused.class))
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining("a command's type is the record's name")
                      .hasMessageContaining(Flights.Reserve.class.getName())
                      .hasMessageContaining(Hotels.Reserve.class.getName()));

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
