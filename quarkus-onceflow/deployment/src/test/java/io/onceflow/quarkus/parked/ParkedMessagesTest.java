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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operators see and delete what is parked in an application that has the extension alone. */
class ParkedMessagesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("onceflow.inbox.edits.second-operator.above", "0")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      SignedIn.class, Secrets.class, Requests.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @Inject DataSource database;

  @Test
  void listsWhatIsParkedToOperatorsOnly() throws Exception {
    UUID message = park();

    assertThat(new Requests(application).get("/parked-messages", "operator").body())
        .contains(message.toString());
    assertThat(new Requests(application).get("/parked-messages", "customer").statusCode())
        .isEqualTo(403);
  }

  @Test
  void asksACallerWithoutATokenForOne() throws Exception {
    HttpResponse<String> refused = new Requests(application).get("/parked-messages", null);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(refused.body()).contains("\"type\":\"/problems/unauthorized\"");
  }

  @Test
  void showsAMessageWithoutWhatItsApplicationRedacts() throws Exception {
    UUID message = park();

    HttpResponse<String> shown =
        new Requests(application).get("/parked-messages/" + message, "operator");

    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body()).contains("the flight is ***").doesNotContain("OF 1");
  }

  @Test
  void deletesAMessageOnce() throws Exception {
    UUID message = park();

    assertThat(
            new Requests(application)
                .delete("/parked-messages/" + message, "operator")
                .statusCode())
        .isEqualTo(204);
    assertThat(
            new Requests(application)
                .delete("/parked-messages/" + message, "operator")
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void showsViewersWhatIsParkedAndNotWhatItHolds() throws Exception {
    UUID message = park();

    JsonNode shown = json(requests().get("/parked-messages/" + message, "viewer"));

    assertThat(shown.get("type").asText()).isEqualTo("ReserveFlight");
    for (String hidden : List.of("payload", "headers", "detail", "originalPayload")) {
      assertThat(shown.get(hidden).isNull()).as(hidden).isTrue();
    }
    assertThat(requests().get("/parked-messages", "viewer").body())
        .contains(message.toString())
        .doesNotContain("the flight is");
    assertThat(edit(message, "viewer", "{}", "why").statusCode()).isEqualTo(403);
    assertThat(requests().delete("/parked-messages/" + message, "viewer").statusCode())
        .isEqualTo(403);
  }

  @Test
  void keepsWhatCameBesideWhatAnOperatorMadeOfIt() throws Exception {
    UUID message = park("{\"flight\": \"XX 9\"}");

    assertThat(edit(message, "operator", "{\"flight\": \"XX 8\"}", "a typo").statusCode())
        .isEqualTo(204);
    assertThat(edit(message, "operator", "{\"flight\": \"XX 7\"}", "another").statusCode())
        .isEqualTo(204);

    JsonNode shown = json(requests().get("/parked-messages/" + message, "operator"));
    assertThat(shown.get("payload").asText()).isEqualTo("{\"flight\": \"XX 7\"}");
    assertThat(shown.get("originalPayload").asText()).isEqualTo("{\"flight\": \"XX 9\"}");
    assertThat(shown.get("editedBy").asText()).isEqualTo("olga");
    assertThat(Instant.parse(shown.get("editedAt").asText()))
        .isBefore(Instant.now().plusSeconds(60));
    assertThat(audit(message)).containsExactly("edit another", "edit a typo");
  }

  @Test
  void countsRedrives() throws Exception {
    UUID message = park("{\"flight\": \"XX 9\"}");

    requests().send("POST", "/parked-messages/" + message + "/redrive", "operator", "{}");

    JsonNode shown = json(requests().get("/parked-messages/" + message, "operator"));
    assertThat(shown.get("redrives").asInt()).isEqualTo(1);
  }

  @Test
  void hasAnotherOperatorRedriveWhatOneHasEdited() throws Exception {
    UUID message = park("{\"flight\": \"XX 9\"}");
    edit(message, "operator", "{\"flight\": \"XX 8\"}", "a typo");

    HttpResponse<String> alone =
        requests().send("POST", "/parked-messages/" + message + "/redrive", "operator", "{}");

    assertThat(alone.statusCode()).isEqualTo(409);
    assertThat(alone.body())
        .contains("/problems/second-operator-needed", "olga has edited it, so another operator");
  }

  /** The type of each problem is the URL of a page; formerly most of these had none. */
  @Test
  void explainsWhyARedriveDidNotGoWell() throws Exception {
    for (String type :
        List.of(
            "still-unhandled",
            "saga-ended",
            "saga-not-asked",
            "edited-meanwhile",
            "second-operator-needed",
            "parked-too-long")) {
      HttpResponse<String> page = requests().get("/problems/" + type, null);

      assertThat(page.statusCode()).as(type).isEqualTo(200);
      assertThat(page.body()).as(type).containsPattern("\\((409|503)\\)");
    }
  }

  @Test
  void refusesAnEditThatMakesNoSense() throws Exception {
    UUID message = park("{\"flight\": \"XX 9\"}");

    for (String payload : List.of("", "{", "{} {}", "{\"a\": 1, \"a\": 2}")) {
      assertThat(edit(message, "operator", payload, "why").statusCode()).as(payload).isEqualTo(400);
    }
    assertThat(edit(message, "operator", "x".repeat(256 * 1024 + 1), "why").statusCode())
        .isBetween(400, 413);
    assertThat(edit(message, "operator", "{}", " ").statusCode()).isEqualTo(400);
    assertThat(edit(message, "operator", "{}", "x".repeat(201)).statusCode()).isEqualTo(400);
    assertThat(edit(UUID.randomUUID(), "operator", "{}", "why").statusCode()).isEqualTo(404);
    JsonNode shown = json(requests().get("/parked-messages/" + message, "operator"));
    assertThat(shown.get("originalPayload").isNull()).isTrue();
    assertThat(audit(message)).isEmpty();
  }

  @Test
  void doesNotLoseWhatItHidesFromOperators() throws Exception {
    UUID message = park();

    assertThat(edit(message, "operator", "{\"flight\": \"***\"}", "why").statusCode())
        .isEqualTo(409);
    assertThat(edit(message, "operator", "{\"flight\": \"OF 1\", \"a\": 1}", "why").statusCode())
        .isEqualTo(204);
  }

  @Test
  void keepsWhyAMessageWasDeleted() throws Exception {
    UUID message = park();

    assertThat(
            requests()
                .delete("/parked-messages/" + message + "?reason=sent%20twice", "operator")
                .statusCode())
        .isEqualTo(204);
    assertThat(audit(message)).containsExactly("delete sent twice");
  }

  /** It consumes no queue: no loop is there that would carry it out. */
  @Test
  void previewsAJobOnAGroupAndRefusesWhatWouldNotBeDone() throws Exception {
    UUID message = park();
    JsonNode group = json(requests().get("/parked-messages/groups", "operator")).get(0);
    String job = "{\"action\": \"delete\", \"group\": \"%s\"%s}";
    String print = group.get("fingerprint").asText();
    String go = job.formatted(print, ", \"dryRun\": false, \"reason\": \"a test\"");

    JsonNode preview = json(startJob("operator", job.formatted(print, "")));
    assertThat(preview.get("count").asInt()).isEqualTo(group.get("count").asInt());
    assertThat(startJob("operator", job.formatted(print, ", \"dryRun\": false")).statusCode())
        .as("without a reason")
        .isEqualTo(400);
    assertThat(startJob("operator", job.formatted("0".repeat(32), "")).statusCode()).isEqualTo(404);
    assertThat(startJob("viewer", go).statusCode()).isEqualTo(403);
    HttpResponse<String> refused = startJob("operator", go);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains("This application consumes no queue");
    assertThat(requests().get("/parked-messages/" + message, "operator").statusCode())
        .isEqualTo(200);
    assertThat(requests().get("/parked-messages/jobs", "viewer").body()).isEqualTo("[]");
  }

  private HttpResponse<String> startJob(String role, String json) throws Exception {
    return requests().send("POST", "/parked-messages/jobs", role, json);
  }

  @Test
  void refusesAPageThatIsTooLarge() throws Exception {
    assertThat(new Requests(application).get("/parked-messages?limit=501", "operator").statusCode())
        .isEqualTo(400);
  }

  private Requests requests() {
    return new Requests(application);
  }

  private HttpResponse<String> edit(UUID message, String role, String payload, String reason)
      throws Exception {
    String body = JSON.createObjectNode().put("payload", payload).put("reason", reason).toString();
    return requests().send("PUT", "/parked-messages/" + message + "/edit", role, body);
  }

  private List<String> audit(UUID message) throws Exception {
    List<String> acts = new ArrayList<>();
    json(requests().get("/operator-audit?parkedMessage=" + message, "operator"))
        .get("entries")
        .forEach(it -> acts.add(it.get("action").asText() + " " + it.get("reason").asText()));
    return acts;
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private UUID park() throws SQLException {
    return park("{\"flight\": \"OF 1\"}");
  }

  private UUID park(String payload) throws SQLException {
    UUID message = UUID.randomUUID();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO parked_message (id, queue, type, reason, detail, headers, payload)
                VALUES (?, 'trips.commands', 'ReserveFlight', 'malformed',
                        'the flight is OF 1', '{}', convert_to(?, 'UTF8'))
                """)) {
      insert.setObject(1, message);
      insert.setString(2, payload);
      insert.executeUpdate();
    }
    return message;
  }
}
