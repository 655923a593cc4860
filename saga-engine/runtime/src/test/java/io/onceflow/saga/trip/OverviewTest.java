package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operators' API tells of all sagas and of their definitions. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class OverviewTest {

  private static final String FLIGHT = "OF 9";
  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject DataSource database;

  @AfterEach
  void forget() throws SQLException {
    execute("DELETE FROM saga_instance WHERE definition = 'of-another-build'");
    execute("DELETE FROM saga_replica WHERE known = '{of-another-build v7}'");
  }

  @Test
  void countsWhatIsUnderWay() {
    book();

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonPath overview = get("viewer", "/sagas/overview");
              assertThat(overview.getInt("open")).isPositive();
              assertThat(overview.getInt("open"))
                  .isEqualTo(
                      overview.getInt("running")
                          + overview.getInt("compensating")
                          + overview.getInt("stuck")
                          + overview.getInt("quarantined"));
              assertThat(overview.getFloat("startedPerSecond")).isPositive();
              assertThat(overview.getInt("steps.find { it.step == 'reserve-flight' }.count"))
                  .isPositive();
              assertThat(Instant.parse(overview.getString("at"))).isBefore(Instant.now());
            });
  }

  @Test
  void listsDefinitionsWithTheirSteps() {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/definitions")
        .then()
        .statusCode(200)
        .rootPath("find { it.name == 'book-trip' }")
        .body("versions.startVersion", contains(true))
        .body("versions[0].steps.name", contains("reserve-flight", "charge-card", "confirm"))
        .body("versions[0].steps.kind", contains("step", "pivot", "local"))
        .body(
            "versions[0].steps.participant",
            contains(equalTo("flight-service"), equalTo("card-service"), nullValue()))
        .body("versions[0].steps[0].command", equalTo("ReserveFlight"))
        .body("versions[0].steps[0].compensation", equalTo("cancel-flight"))
        .body("versions[0].searchable", contains("flight"))
        .body("versions[0].ended", nullValue());
  }

  @Test
  void anAttributeFindsItsSagas() {
    book();

    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .queryParam("attribute", "flight:" + FLIGHT)
        .queryParam("order", "newest")
        .queryParam("limit", 1)
        .get("/sagas")
        .then()
        .statusCode(200)
        .body("sagas[0].attributes.flight", equalTo(FLIGHT));
    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .queryParam("attribute", "flight:nowhere")
        .get("/sagas")
        .then()
        .statusCode(200)
        .body("sagas", empty());
  }

  /** It may tell whose saga it is. */
  @Test
  void aViewerSeesNoAttributes() {
    book();
    String saga = get("operator", "/sagas?order=newest&limit=1").getString("sagas[0].id");

    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .queryParam("attribute", "flight:" + FLIGHT)
        .get("/sagas")
        .then()
        .statusCode(403);
    assertThat(get("operator", "/sagas/" + saga + "/details").getMap("attributes"))
        .isEqualTo(Map.of("flight", FLIGHT));
    JsonPath seen = get("viewer", "/sagas/" + saga + "/details");
    assertThat(seen.getMap("attributes")).isNull();
    assertThat(seen.getBoolean("hidden")).isTrue();
    assertThat(get("viewer", "/sagas?order=newest").getList("sagas.attributes"))
        .containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flight", "flight:", ":LH1"})
  void anAttributeHasANameAndAValue(String attribute) {
    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .queryParam("attribute", attribute)
        .get("/sagas")
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("detail", containsString("attribute is "));
  }

  @Test
  void listsVersionsThatOnlyTheDatabaseKnowsWithoutSteps() throws SQLException {
    execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, next_action_at, started_at)
        VALUES (gen_random_uuid(), 'of-another-build', 7, gen_random_uuid(), 'ada', 'k', 'other/build', '[]', 'RUNNING', 1,
                now() + interval '1 h', now())
        """);

    // Definitions of others are found by the next look at all timers, once a minute.
    await()
        .atMost(Duration.ofSeconds(90))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              JsonPath all = get("operator", "/sagas/definitions");
              String it = "find { it.name == 'of-another-build' }.versions[0].";
              assertThat(all.getInt(it + "version")).isEqualTo(7);
              assertThat(all.getInt(it + "open")).isEqualTo(1);
              assertThat(all.getBoolean(it + "startVersion")).isFalse();
              assertThat(all.getList(it + "steps")).isEmpty();
            });
  }

  /** Another build that runs still, with a row as it was before this one told of itself. */
  @Test
  void listsTheReplicasAndWhatEachLacks() throws SQLException {
    execute(
        "INSERT INTO saga_replica (id, known) VALUES (gen_random_uuid(), '{of-another-build v7}')");

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonPath all = get("viewer", "/sagas/replicas");
              String self = "find { it.self }.";
              assertThat(all.getBoolean(self + "living")).isTrue();
              assertThat(all.getString(self + "build")).isNotEmpty();
              assertThat(all.getString(self + "host")).isNotEmpty();
              assertThat(all.getList(self + "roles")).contains("relay");
              assertThat(all.getList(self + "knows")).contains("book-trip v1");
              assertThat(all.getList(self + "lacks")).contains("of-another-build v7");
              assertThat(all.getList(self + "loops.name")).contains("saga-definitions");
              assertThat(all.getInt(self + "connections.most")).isPositive();
              int open =
                  all.getInt(self + "connections.inUse") + all.getInt(self + "connections.idle");
              assertThat(open).isPositive();
              assertThat(all.getLong(self + "heap.used")).isPositive();
              String old = "find { 'of-another-build v7' in it.knows }.";
              assertThat(all.getString(old + "build")).isNull();
              assertThat(all.getList(old + "lacks")).contains("book-trip v1");
              assertThat(all.getList(old + "loops")).isEmpty();
            });
  }

  @Test
  void comparesTwoVersions() {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/definitions/book-trip/diff?from=1&to=1")
        .then()
        .statusCode(200)
        .body("lines.step", contains("reserve-flight", "charge-card", "confirm"))
        .body("lines.change", everyItem(equalTo("same")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?from=1", "?from=1&to=two"})
  void aVersionIsANumber(String query) {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/definitions/book-trip/diff" + query)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("detail", containsString("to is "));
  }

  @Test
  void aVersionThatIsNotKnownIsNotCompared() {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/definitions/book-trip/diff?from=1&to=2")
        .then()
        .statusCode(404)
        .contentType("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sagas/overview",
        "/sagas/definitions",
        "/sagas/replicas",
        "/sagas/definitions/book-trip/diff?from=1&to=1"
      })
  void isNotForCustomers(String path) {
    given().auth().oauth2(token("ada")).get(path).then().statusCode(403);
  }

  private static JsonPath get(String role, String path) {
    return given()
        .auth()
        .oauth2(token("olga", role))
        .get(path)
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static void book() {
    given()
        .auth()
        .oauth2(token("ada"))
        .header("Idempotency-Key", "key-" + UUID.randomUUID())
        .body(FLIGHT)
        .post("/trips")
        .then()
        .statusCode(201);
  }

  private void execute(String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
