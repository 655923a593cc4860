package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every application of the extension tells when steps of a saga arrived and were answered. */
@Tag("nightly")
class HandledStepsResourceTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar -> jar.addClasses(SignedIn.class, Requests.class, TripApplication.class));

  private static final String PATH = "/participant/steps";

  @TestHTTPResource("/")
  URI application;

  @Inject DataSource database;

  private final String key = "key-" + UUID.randomUUID();

  @Test
  void tellsViewersWhenAStepArrivedAndWasAnsweredAndNobodysKey() throws Exception {
    answered("reserve-flight");

    HttpResponse<String> answer = ask("viewer", key, "\"reserve-flight\", \"cancel-flight\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain(key).doesNotContain("ada").doesNotContain("R1");
    JsonNode steps = new ObjectMapper().readTree(answer.body()).get("steps");
    assertThat(steps).hasSize(1);
    JsonNode step = steps.get(0);
    assertThat(step.get("step").asText()).isEqualTo("reserve-flight");
    assertThat(step.get("progress").asText()).isEqualTo("answered");
    assertThat(step.get("arrivedAt").asText()).isEqualTo("2026-11-23T12:00:00Z");
    assertThat(step.get("begunAt").asText()).isEqualTo("2026-11-23T12:00:01Z");
    assertThat(step.get("answeredAt").asText()).isEqualTo("2026-11-23T12:00:02.500Z");
    assertThat(step.get("dueAt").isNull()).isTrue();
    assertThat(step.get("attempts").asInt()).isEqualTo(2);
    assertThat(step.get("outcome").asText()).isEqualTo("done");
  }

  @Test
  void tellsNobodyElseAnything() throws Exception {
    assertThat(ask("operator", key, "\"a\"").statusCode()).isEqualTo(200);
    assertThat(ask("customer", key, "\"a\"").statusCode()).isEqualTo(403);
    assertThat(ask(null, key, "\"a\"").statusCode()).isEqualTo(401);
  }

  @Test
  void refusesWhatIsNoStepKey() throws Exception {
    String many = "\"a\"" + ", \"a\"".repeat(200);
    for (String steps : List.of("", "null", "\"a:b\"", "\"\"", many)) {
      assertThat(ask("operator", key, steps).statusCode()).as(steps).isEqualTo(400);
    }
    assertThat(ask("operator", "", "\"a\"").statusCode()).isEqualTo(400);
    assertThat(ask("operator", "ä", "\"a\"").statusCode()).isEqualTo(400);
    assertThat(post("operator", "").statusCode()).isEqualTo(400);
    assertThat(
            post("operator", "{\"scope\": \"a\\u0000\", \"rootKey\": \"k\", \"steps\": [\"a\"]}"))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(400);
  }

  private HttpResponse<String> ask(@Nullable String role, String rootKey, String steps)
      throws Exception {
    return post(
        role,
        "{\"scope\": \"ada\", \"rootKey\": \"%s\", \"origin\": \"trips/book\", \"steps\": [%s]}"
            .formatted(rootKey, steps));
  }

  private HttpResponse<String> post(@Nullable String role, String body) throws Exception {
    return new Requests(application).send("POST", PATH, role, body);
  }

  private void answered(String step) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO inbox_message
                       (scope, step_key, fingerprint, status, attempts, fencing_token, outcome,
                        received_at, taken_up_at, completed_at)
                VALUES ('ada', ?, '', 'COMPLETED', 2, 2,
                        '{"type": "FlightReserved", "payload": {"reference": "R1"}, "result": "done"}',
                        '2026-11-23T12:00:00Z', '2026-11-23T12:00:01Z', '2026-11-23T12:00:02.5Z')
                """)) {
      insert.setString(1, "%s:%s@trips/book".formatted(key, step));
      insert.executeUpdate();
    }
  }
}
