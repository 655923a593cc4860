package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators are told of a saga that cannot be handled here. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class UnfittingSagaTest {

  private static final String STEP =
      "[{\"name\": \"%s\", \"status\": \"%s\", \"attempts\": 1,"
          + " \"sentAt\": \"2026-01-01T00:00:00Z\", \"dueAt\": \"2036-01-01T00:00:00Z\"}]";

  @Inject DataSource database;

  private String saga;

  @BeforeEach
  void book() throws SQLException {
    String location =
        given()
            .auth()
            .oauth2(token("ada"))
            .header("Idempotency-Key", "key-" + UUID.randomUUID())
            .body("OF 10")
            .post("/trips")
            .then()
            .statusCode(201)
            .extract()
            .header("Location");
    saga = sagaOf(location.substring(location.lastIndexOf('/') + 1));
  }

  @AfterEach
  void delete() throws SQLException {
    execute("DELETE FROM saga_instance WHERE id = ?::uuid", saga);
  }

  /** Seen red: 500, since a definition whose steps have changed does not know the saga's. */
  @Test
  void isShownWithNoActionButAHoldWhereItHasStepsThatItsDefinitionLacks() throws SQLException {
    store(STEP.formatted("reserve-train", "WAITING"));

    get("/sagas/%s/details".formatted(saga))
        .statusCode(200)
        .body("saga.steps[0].name", equalTo("reserve-train"))
        .body("actions.findAll { it.action != 'hold' }.allowed", everyItem(is(false)))
        .body("actions[0].why", containsString("steps that book-trip v1 does not have"));
    post("/sagas/%s/retry".formatted(saga), "{}").statusCode(409);
  }

  /** Seen red: one such saga among those that a filter finds, and the answer was 500. */
  @Test
  void keepsNoRepairFromBeingForetold() throws SQLException {
    store(STEP.formatted("reserve-train", "WAITING"));
    foresee();

    store(STEP.formatted("reserve-flight", "OF_A_NEWER_RELEASE"));
    foresee();
  }

  private static void foresee() {
    post(
            "/sagas/repairs",
            "{\"action\": \"retry\", \"filter\": {\"status\": \"RUNNING\", \"definition\":"
                + " \"book-trip\"}}")
        .statusCode(200)
        .body("dryRun", equalTo(true));
  }

  /** Seen red: 500, where the same of a saga that its definition does not fit was 409. */
  @Test
  void refusesWhatIsAskedOfItWhereItsStepsCannotBeRead() throws SQLException {
    store(STEP.formatted("reserve-flight", "OF_A_NEWER_RELEASE"));

    post("/sagas/%s/retry".formatted(saga), "{}")
        .statusCode(409)
        .body("type", equalTo("/problems/saga-refuses"))
        .body("detail", containsString("handling saga %s failed".formatted(saga)));
  }

  /** Before: 500, as after a rollback. */
  @Test
  void isRefusedToBeShownWhereItsStepsCannotBeRead() throws SQLException {
    store(STEP.formatted("reserve-flight", "OF_A_NEWER_RELEASE"));

    for (String path : List.of("", "/details", "/messages", "/timeline")) {
      get("/sagas/" + saga + path)
          .statusCode(409)
          .body("type", equalTo("/problems/saga-refuses"))
          .body("detail", containsString("Saga %s cannot be shown".formatted(saga)));
    }
  }

  private static ValidatableResponse get(String path) {
    return given().auth().oauth2(token("olga", "operator")).get(path).then();
  }

  private static ValidatableResponse post(String path, String body) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .contentType("application/json")
        .body(body)
        .post(path)
        .then();
  }

  private void store(String steps) throws SQLException {
    execute("UPDATE saga_instance SET steps = ?::json WHERE id = ?::uuid", steps, saga);
  }

  private void execute(String sql, String... values) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  private String sagaOf(String trip) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT id::text FROM saga_instance WHERE subject_id = ?::uuid")) {
      select.setString(1, trip);
      ResultSet row = select.executeQuery();
      row.next();
      return row.getString(1);
    }
  }
}
