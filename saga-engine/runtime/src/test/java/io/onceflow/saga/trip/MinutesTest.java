package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operators' API tells of the last hours. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class MinutesTest {

  /** A replica writes once a minute. */
  private static final Duration SOON = Duration.ofSeconds(100);

  @Test
  @Tag("nightly")
  void aStartedSagaIsInTheFiguresAfterAMinute() {
    given()
        .auth()
        .oauth2(token("ada"))
        .header("Idempotency-Key", "key-" + UUID.randomUUID())
        .body("MT 1")
        .post("/trips")
        .then()
        .statusCode(201);

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonPath day = get("?hours=24");
              assertThat(day.getInt("spanMinutes")).isEqualTo(15);
              assertThat(day.getList("points.findAll { it.definition == 'book-trip' }.started"))
                  .isNotEmpty();
              // The backlog is written after the counts.
              assertThat(day.getList("backlog")).isNotEmpty();
              assertThat(day.getInt("backlog[0].open")).isPositive();
            });
    assertThat(get("").getInt("spanMinutes")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "337"})
  void noMoreHoursThanAreKept(String hours) {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/minutes?hours=" + hours)
        .then()
        .statusCode(400)
        .body("detail", containsString("from 1 to 336"));
  }

  @Test
  void isNotForCustomers() {
    given().auth().oauth2(token("ada")).get("/sagas/minutes").then().statusCode(403);
  }

  private static JsonPath get(String query) {
    return given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .get("/sagas/minutes" + query)
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }
}
