package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.quarkus.parked.Requests;
import io.onceflow.quarkus.parked.SignedIn;
import io.onceflow.sql.Sql;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A participant that is paused leaves its commands in the queue, and goes on where it was. */
@Tag("nightly")
class PausedParticipantTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String WHY = "{\"reason\": \"the airline moves\"}";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(PausedParticipantTest.class.getPackage())
                      .addClasses(SignedIn.class, Requests.class)
                      .addAsResource(
                          "V1__create_account.sql", "db/migration/V1__create_account.sql"));

  @TestHTTPResource("/")
  URI application;

  @Inject DataSource database;
  @Inject MeterRegistry metrics;

  private final UUID trip = UUID.randomUUID();
  private Orchestrator saga;

  @BeforeEach
  void connect() throws Exception {
    saga = new Orchestrator();
  }

  @AfterEach
  void resume() throws Exception {
    saga.close();
    post("resume", "operator", WHY);
    awaitConsumers(1);
  }

  @Test
  void leavesCommandsInTheQueueUntilItIsResumed() throws Exception {
    assertThat(saga.ask("ReserveFlight", "flight.reserve", reservation()))
        .isEqualTo("FlightReserved done");

    assertThat(post("pause", "operator", WHY).statusCode()).isEqualTo(204);
    awaitConsumers(0);
    saga.send("CancelFlight", "flight.cancel", "{\"tripId\":\"%s\"}".formatted(trip));
    await().atMost(SOON).until(() -> queue().get("depth").asLong() == 1);
    JsonNode paused = participant();
    assertThat(paused.get("paused").asBoolean()).isTrue();
    assertThat(paused.get("pausedBy").asText()).isEqualTo("olga");
    assertThat(paused.get("pausedAt").isNull()).isFalse();
    assertThat(queue().get("paused").asBoolean()).isTrue();
    assertThat(saga.replies()).isEqualTo(1);

    assertThat(post("resume", "operator", WHY).statusCode()).isEqualTo(204);
    await().atMost(SOON).until(() -> saga.replies() == 2);
    assertThat(participant().get("paused").asBoolean()).isFalse();
    assertThat(participant().get("pausedBy").isNull()).isTrue();
  }

  /** That replica has written the row, and this one finds it. */
  @Test
  void followsWhatAnotherReplicaWasTold() throws Exception {
    awaitConsumers(1);
    ((CompositeMeterRegistry) metrics).add(new SimpleMeterRegistry());

    execute("INSERT INTO participant_pause (participant, paused_by) VALUES ('trips', 'otto')");
    awaitConsumers(0);
    assertThat(metrics.get("onceflow.participant.paused").gauge().value()).isEqualTo(1);
    assertThat(participant().get("pausedBy").asText()).isEqualTo("otto");

    execute("DELETE FROM participant_pause");
    awaitConsumers(1);
    assertThat(metrics.get("onceflow.participant.paused").gauge().value()).isZero();
  }

  @Test
  void takesNothingUpWhileItIsPaused() throws Exception {
    post("pause", "operator", WHY);
    awaitConsumers(0);
    UUID message = UUID.randomUUID();
    execute(
        """
        INSERT INTO parked_message
               (id, queue, type, reason, detail, headers, payload, next_attempt_at)
        VALUES ('%s', 'trips.commands', 'ReserveFlight', 'handling-failed', 'it failed', '{}',
                convert_to('{}', 'UTF8'), now())
        """
            .formatted(message));
    saga.send("CancelFlight", "flight.cancel", "{\"tripId\":\"%s\"}".formatted(trip));
    await().atMost(SOON).until(() -> queue().get("depth").asLong() == 1);
    assertThat(attempts(message)).isEqualTo(1);

    post("resume", "operator", WHY);
    await().atMost(SOON).until(() -> attempts(message) > 1);
    execute("DELETE FROM parked_message WHERE id = '%s'".formatted(message));
  }

  @Test
  void keepsWhoPausedItAndWhy() throws Exception {
    post("pause", "operator", WHY);
    post("pause", "operator", "{\"reason\": \"again\"}");
    post("resume", "operator", "{\"reason\": \"it has moved\"}");

    JsonNode entries =
        JSON.readTree(requests().get("/operator-audit?limit=2", "operator").body()).get("entries");

    assertThat(entries.at("/0/action").asText()).isEqualTo("resume");
    assertThat(entries.at("/0/reason").asText()).isEqualTo("it has moved");
    assertThat(entries.at("/1/action").asText()).isEqualTo("pause");
    assertThat(entries.at("/1/reason").asText()).isEqualTo("the airline moves");
    assertThat(entries.at("/1/subject/kind").asText()).isEqualTo("participant");
    assertThat(entries.at("/1/subject/id").asText()).isEqualTo("trips");
  }

  @Test
  void isPausedByOperatorsWithAReason() throws Exception {
    assertThat(post("pause", "viewer", WHY).statusCode()).isEqualTo(403);
    assertThat(post("pause", null, WHY).statusCode()).isEqualTo(401);
    for (String body :
        new String[] {
          "", "{}", "null", "{\"reason\": \" \"}", "{\"reason\": \"%s\"}".formatted("x".repeat(201))
        }) {
      assertThat(post("pause", "operator", body).statusCode()).as(body).isEqualTo(400);
    }
    assertThat(participant().get("paused").asBoolean()).isFalse();
  }

  @Test
  void showsViewersWhatItHandles() throws Exception {
    saga.ask("ReserveFlight", "flight.reserve", reservation());

    await().atMost(SOON).until(() -> participant().get("handledPerSecond").asDouble() > 0);

    JsonNode shown = participant();
    assertThat(shown.get("name").asText()).isEqualTo("trips");
    assertThat(shown.get("p50Ms").isNumber()).isTrue();
    assertThat(shown.get("p95Ms").isNumber()).isTrue();
    assertThat(shown.get("p99Ms").isNumber()).isTrue();
    assertThat(shown.get("failures").isNumber()).isTrue();
    assertThat(shown.get("parked").isNumber()).isTrue();
    assertThat(shown.get("breakers").findValuesAsText("target")).contains("ReserveFlight");
    assertThat(shown.get("breakers").findValuesAsText("state")).containsOnly("CLOSED");
    assertThat(requests().get("/participant", "customer").statusCode()).isEqualTo(403);
    assertThat(requests().get("/participant", null).statusCode()).isEqualTo(401);
  }

  private String reservation() {
    return "{\"tripId\":\"%s\",\"flight\":\"OF 1\"}".formatted(trip);
  }

  private void awaitConsumers(int consumers) {
    await().atMost(SOON).until(() -> queue().get("consumers").asInt(-1) == consumers);
  }

  private JsonNode queue() throws Exception {
    for (JsonNode queue : participant().get("queues")) {
      if (queue.get("queue").asText().equals("trips.commands")) {
        return queue;
      }
    }
    throw new AssertionError("it consumes no commands");
  }

  private JsonNode participant() throws Exception {
    HttpResponse<String> answer = requests().get("/participant", "viewer");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private HttpResponse<String> post(String action, String role, String body) throws Exception {
    return requests().send("POST", "/participant/" + action, role, body);
  }

  private Requests requests() {
    return new Requests(application);
  }

  private int attempts(UUID message) throws Exception {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
              connection,
              "SELECT attempts FROM parked_message WHERE id = ?",
              row -> row.integer("attempts"),
              message)
          .orElseThrow();
    }
  }

  private void execute(String sql) throws Exception {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, sql);
    }
  }
}
