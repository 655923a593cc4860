package io.onceflow.quarkus.refused;

import io.onceflow.participant.Handles;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class NoCommandTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          "its first parameter is Trip, which is no record annotated with @Command",
          NoCommandTest.class);

  record Trip(UUID id) {}

  @ApplicationScoped
  static class Flights {
    @Handles
    void reserve(Trip trip) {}
  }

  @Test
  void asTheParameterOfAHandlerFailsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
