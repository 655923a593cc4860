package io.onceflow.quarkus.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.quarkus.trip.Messages;
import io.onceflow.quarkus.trip.Orchestrator;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The guide's step that waits for the world: the airline's event has it answered. */
@Tag("nightly")
class WaitingParticipantTest {

  private static final String DATABASE = "waiting_trips";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on(DATABASE)
          .setBeforeAllCustomizer(() -> TestServers.shared().createDatabase(DATABASE))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(WaitingParticipantTest.class.getPackage())
                      .addClasses(Messages.class, Orchestrator.class, TripApplication.class)
                      .addAsResource(
                          "V1__create_seat_request.sql",
                          "db/migration/V1__create_seat_request.sql"));

  @TestHTTPResource("/airline-events")
  URI events;

  @Inject SlowAirline airline;

  private final UUID trip = UUID.randomUUID();
  private Orchestrator saga;

  @BeforeEach
  void connect() throws Exception {
    saga =
        new Orchestrator(Map.of("x-await-within", Long.toString(Duration.ofHours(1).toSeconds())));
  }

  @AfterEach
  void close() {
    saga.close();
  }

  @Test
  void isAnsweredOnceTheAirlineHasConfirmed() throws Exception {
    assertThat(reserve("OF 9")).isEqualTo("StepPending pending");

    assertThat(tell(airline.decide(true))).isEqualTo(204);

    assertThat(saga.awaitReply(2)).isEqualTo("FlightReserved done");
  }

  @Test
  void isRefusedOnceTheAirlineHasRefused() throws Exception {
    assertThat(reserve("OF 9")).isEqualTo("StepPending pending");
    String reference = airline.decide(false);

    assertThat(tell(reference)).isEqualTo(204);
    assertThat(tell(reference)).as("twice").isEqualTo(204);

    assertThat(saga.awaitReply(2)).isEqualTo("FlightRefused refused");
  }

  @Test
  void isAnsweredAtOnceWhereTheAirlineKnows() throws Exception {
    assertThat(reserve("OF 1")).isEqualTo("FlightReserved done");
    assertThat(tell("unknown")).isEqualTo(404);
  }

  private String reserve(String flight) {
    return saga.ask(
        "ReserveFlight",
        "flight.reserve",
        "{\"tripId\":\"%s\",\"flight\":\"%s\"}".formatted(trip, flight));
  }

  private int tell(String reference) throws Exception {
    HttpRequest event =
        HttpRequest.newBuilder(events)
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"reference\":\"%s\",\"status\":\"decided\"}".formatted(reference)))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(event, BodyHandlers.discarding()).statusCode();
    }
  }
}
