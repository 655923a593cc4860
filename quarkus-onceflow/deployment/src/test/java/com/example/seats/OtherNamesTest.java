package com.example.seats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.trip.Orchestrator;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.jackson.ObjectMapperCustomizer;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A participant whose mapper names properties otherwise than Onceflow names its own. */
@Tag("nightly")
class OtherNamesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(OtherNamesTest.class.getDeclaredClasses())
                      .addClasses(TripApplication.class, Orchestrator.class));

  @Command("seat.hold")
  public record HoldSeat(UUID seatId) {}

  @Done(HoldSeat.class)
  public record SeatHeld(UUID seatId) {}

  @ApplicationScoped
  static class Seats {

    @Handles
    SeatHeld hold(HoldSeat command) {
      return new SeatHeld(command.seatId());
    }
  }

  @Singleton
  static class UpperCamelCase implements ObjectMapperCustomizer {

    @Override
    public void customize(ObjectMapper json) {
      json.setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE);
    }
  }

  /** Seen red: what was stored of the first answer could not be read, and no answer came. */
  @Test
  void answersARepeatFromWhatItHasStored() throws Exception {
    String command = "{\"SeatId\": \"%s\"}".formatted(UUID.randomUUID());
    try (Orchestrator saga = new Orchestrator(Map.of())) {
      assertThat(saga.ask("HoldSeat", "seat.hold", command)).isEqualTo("SeatHeld done");
      assertThat(saga.ask("HoldSeat", "seat.hold", command)).isEqualTo("SeatHeld done");
    }
  }
}
