package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repairs over HTTP, of sagas about JPA entities, carried out by the application's own job. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class RepairResourceTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @BeforeEach
  void book() {
    given()
        .auth()
        .oauth2(token("ada"))
        .header("Idempotency-Key", "key-" + UUID.randomUUID())
        .body("OF 8")
        .post("/trips")
        .then()
        .statusCode(201);
  }

  @AfterEach
  void stopAll() {
    List<String> running =
        as("olga", "operator")
            .get("/sagas/repairs")
            .path("repairs.findAll { it.finishedAt == null }.id");
    running.forEach(id -> as("olga", "operator").post("/sagas/repairs/" + id + "/stop"));
  }

  @Test
  void tellsBeforehandWhatItWouldCometo() {
    post("olga", "/sagas/repairs", repair("retry", ""))
        .statusCode(200)
        .body("dryRun", equalTo(true))
        .body("count", greaterThanOrEqualTo(1))
        .body("exact", equalTo(true))
        .body("samples[0].allowed", equalTo(true))
        .body("samples[0].comesTo", containsString("under the same keys"))
        .body("filterHash.length()", equalTo(64));
  }

  @Test
  void asksTheSagasAndShowsHowFarItHasCome() {
    String location = start("retry", ", \"perSecond\": 1000");

    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                as("olga", "operator")
                    .get(location)
                    .then()
                    .statusCode(200)
                    .body("done.pending", equalTo(0))
                    .body("done.requested", greaterThanOrEqualTo(1)));
    as("olga", "operator")
        .get(location)
        .then()
        .body("action", equalTo("retry"))
        .body("filter.definition", equalTo("book-trip"))
        .body("startedBy", equalTo("olga"))
        .body("status", equalTo("RUNNING"))
        .body("total", greaterThanOrEqualTo(1))
        .body("etaMs", equalTo(0))
        .body("hidden", equalTo(false));
    as("olga", "operator")
        .get(location + "/sagas?outcome=requested&limit=1")
        .then()
        .statusCode(200)
        .body("sagas[0].outcome", equalTo("requested"));
    as("olga", "operator")
        .get("/sagas/repairs?limit=500")
        .then()
        .body("repairs.id", hasItem(location.substring(location.lastIndexOf('/') + 1)));
  }

  @Test
  void refusesTheSameTwice() {
    String location = start("cancel", ", \"perSecond\": 1");

    post("otto", "/sagas/repairs", repair("cancel", ", \"dryRun\": false"))
        .statusCode(409)
        .body("type", equalTo("/problems/repair-under-way"))
        .body("detail", containsString(location.substring(location.lastIndexOf('/') + 1)));
    given()
        .get("/problems/repair-under-way")
        .then()
        .statusCode(200)
        .body(containsString("is not finished"));
  }

  @Test
  void isPausedResumedAndStopped() {
    String location = start("retry", ", \"perSecond\": 1");

    post("otto", location + "/pause", "{\"reason\": \"too fast\"}")
        .statusCode(200)
        .body("status", equalTo("PAUSED"));
    given()
        .auth()
        .oauth2(token("otto", "operator"))
        .post(location + "/resume")
        .then()
        .statusCode(200)
        .body("status", equalTo("RUNNING"));
    post("otto", location + "/stop", "{}").statusCode(200).body("status", equalTo("STOPPED"));
    post("otto", location + "/stop", "{}").statusCode(409).body("type", endsWith("repair-refuses"));
  }

  @Test
  void letsViewersSeeButNotActAndHidesFromThemWhatMayNameACustomer() {
    String location = start("retry", ", \"perSecond\": 1");

    as("vera", "viewer")
        .get(location)
        .then()
        .statusCode(200)
        .body("filter", nullValue())
        .body("reason", nullValue())
        .body("status", notNullValue())
        .body("hidden", equalTo(true));
    as("vera", "viewer").body("{}").post(location + "/stop").then().statusCode(403);
    as("vera", "viewer").body(repair("retry", "")).post("/sagas/repairs").then().statusCode(403);
    as("ada", "customer").get(location).then().statusCode(403);
  }

  @Test
  void migratesToNoVersionThatAReplicaDoesNotKnow() {
    String migration =
        """
        {"action": "migrate", "version": %s,
         "filter": {"definition": "book-trip", "version": 1, "open": true}}
        """;
    post("olga", "/sagas/repairs", migration.formatted(9))
        .statusCode(409)
        .body("type", endsWith("definition-refuses"));
    post("olga", "/sagas/repairs", migration.formatted(1))
        .statusCode(200)
        .body("allowed", equalTo(0))
        .body("reasons[0].why", equalTo("it follows version 1 already"));
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    for (String body :
        List.of(
            "{\"action\": \"retry\", \"filter\": {}}",
            "{\"action\": \"retry\", \"filter\": {\"status\": \"COMPLETED\"}}",
            "{\"action\": \"retry\", \"filter\": {\"status\": \"RUNNING\", \"olderThan\": \"1h\"}}",
            "{\"action\": \"retry\", \"filter\": {\"status\": \"RUNNING\"}, \"perSecond\": 0}",
            "{\"action\": \"delete\", \"filter\": {\"status\": \"RUNNING\"}}",
            "{\"filter\": {\"status\": \"RUNNING\"}}",
            "{\"action\": \"migrate\", \"version\": 2, \"filter\": {\"status\": \"RUNNING\"}}",
            "{\"action\": \"migrate\", \"filter\": {\"definition\": \"book-trip\", \"version\": 1, \"open\": true}}",
            "{\"action\": \"retry\", \"version\": 2, \"filter\": {\"status\": \"RUNNING\"}}",
            "{\"action\": \"retry\", \"filter\": {\"status\": \"RUNNING\", \"colour\": \"red\"}}")) {
      assertThat(as("olga", "operator").body(body).post("/sagas/repairs").statusCode())
          .as(body)
          .isEqualTo(400);
    }
    given().auth().oauth2(token("otto", "operator")).post("/sagas/repairs").then().statusCode(400);
    given().auth().oauth2(token("ada")).post("/sagas/repairs").then().statusCode(403);
    as("olga", "operator").get("/sagas/repairs/" + UUID.randomUUID()).then().statusCode(404);
    as("olga", "operator").get("/sagas/repairs?limit=501").then().statusCode(400);
  }

  private static String start(String action, String more) {
    return post("olga", "/sagas/repairs", repair(action, ", \"dryRun\": false" + more))
        .statusCode(201)
        .extract()
        .header("Location")
        .replaceFirst("^https?://[^/]+", "");
  }

  private static String repair(String action, String more) {
    return """
        {"action": "%s", "filter": {"status": "RUNNING", "definition": "book-trip"}, "reason": "it is back"%s}
        """
        .formatted(action, more);
  }

  private static ValidatableResponse post(String operator, String path, String body) {
    return as(operator, "operator").body(body).post(path).then();
  }

  private static RequestSpecification as(String name, String role) {
    return given().auth().oauth2(token(name, role)).contentType("application/json");
  }
}
