package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A saga's timeline joins its history with what services say, as far as they answer. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
@QuarkusTestResource(FakeParticipants.class)
class TimelineTest {

  @Inject DataSource database;

  private final String key = "key-" + UUID.randomUUID();

  @Test
  void hasTheTimesOfTheServiceThatAnswers() throws SQLException {
    JsonPath timeline = timeline(book("ada"), "viewer").jsonPath();

    assertThat(timeline.getList("steps.name")).containsExactly("reserve-flight");
    assertThat(timeline.getString("steps[0].service")).isEqualTo("flight-service");
    assertThat(timeline.getList("steps[0].sentAt")).hasSize(1);
    assertThat(timeline.getString("steps[0].arrivedAt")).isEqualTo("2026-11-23T12:00:00.100Z");
    assertThat(timeline.getString("steps[0].begunAt")).isEqualTo("2026-11-23T12:00:00.200Z");
    assertThat(timeline.getString("steps[0].answeredAt")).isEqualTo("2026-11-23T12:00:00.300Z");
    assertThat(timeline.getString("steps[0].receivedAt")).isNull();
    assertThat(timeline.getInt("steps[0].attempts")).isEqualTo(3);
    assertThat(timeline.getString("steps[0].answer")).isEqualTo("done");
  }

  @Test
  void saysWhichServicesDidNotAnswerAndWhy() throws SQLException {
    JsonPath timeline = timeline(book("ada"), "operator").jsonPath();

    assertThat(timeline.getList("services.name"))
        .containsExactly("card-service", "flight-service", "hotel-service");
    assertThat(timeline.getList("services.answered")).containsExactly(false, true, false);
    assertThat(timeline.getString("services[0].why")).isEqualTo("It did not answer within 2 s.");
    assertThat(timeline.getString("services[1].why")).isNull();
    assertThat(timeline.getString("services[2].why")).contains("status 404").contains("older");
  }

  @Test
  void readsTheApplicationsOwnInbox() throws SQLException {
    UUID saga = book("bea");
    arrived("bea", "reserve-flight");

    JsonPath timeline = timeline(saga, "viewer").jsonPath();

    assertThat(timeline.getString("steps[0].service")).isEqualTo("trips");
    assertThat(timeline.getString("steps[0].progress")).isEqualTo("started");
    assertThat(timeline.getString("steps[0].arrivedAt")).isNotNull();
  }

  @Test
  void hasNothingPersonal() throws SQLException {
    assertThat(timeline(book("ada"), "viewer").asString())
        .doesNotContain(key)
        .doesNotContain("ada");
  }

  @Test
  void isForThoseWhoMayReadSagas() throws SQLException {
    String path = "/sagas/%s/timeline".formatted(book("ada"));

    given().auth().oauth2(token("ada")).get(path).then().statusCode(403);
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/%s/timeline".formatted(UUID.randomUUID()))
        .then()
        .statusCode(404)
        .contentType("application/problem+json");
  }

  private static Response timeline(UUID saga, String role) {
    return given()
        .auth()
        .oauth2(token("olga", role))
        .get("/sagas/%s/timeline".formatted(saga))
        .then()
        .statusCode(200)
        .extract()
        .response();
  }

  private UUID book(String customer) throws SQLException {
    given()
        .auth()
        .oauth2(token(customer))
        .header("Idempotency-Key", key)
        .body("OF 8")
        .post("/trips")
        .then()
        .statusCode(201);
    try (java.sql.Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT id FROM saga_instance WHERE root_key = ?")) {
      select.setString(1, key);
      ResultSet row = select.executeQuery();
      assertThat(row.next()).isTrue();
      return row.getObject(1, UUID.class);
    }
  }

  private void arrived(String scope, String step) throws SQLException {
    try (java.sql.Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO inbox_message
                       (scope, step_key, fingerprint, status, lease_expires_at, envelope)
                VALUES (?, ?, '', 'STARTED', now() + interval '1 h', '{}')
                """)) {
      insert.setString(1, scope);
      insert.setString(2, "%s:%s@trips/book-trip".formatted(key, step));
      insert.executeUpdate();
    }
  }
}
