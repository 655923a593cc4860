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
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;

/** Operators hold sagas and definitions, and choose the version of new sagas. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class TripHoldTest extends TripFixture {

  private static final String DEFINITION = "/sagas/definitions/book-trip";

  @Inject SagaRunners sagas;
  @Inject UnitOfWork unitOfWork;

  @Test
  void aReplyToASagaOnHoldIsKeptAndTakenOnceItIsResumed() throws Exception {
    UUID trip = book("OF 21");
    awaitStep(trip, "reserve-flight", "WAITING");
    String saga = "/sagas/" + sagaOf(trip);

    post(saga + "/hold", "{\"reason\": \"a dispute\"}")
        .statusCode(200)
        .body("hold.by", equalTo("olga"))
        .body("hold.reason", equalTo("a dispute"));
    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));

    await().atMost(SOON).until(() -> kept(trip) == 1);
    get(saga + "/details")
        .body("saga.steps.find { it.name == 'reserve-flight' }.status", equalTo("WAITING"))
        .body("waiting.sentence", containsString("by olga: a dispute. Nothing is sent"))
        .body("actions.find { it.action == 'retry' }.allowed", equalTo(false))
        .body("actions.find { it.action == 'retry' }.why", containsString("resume it first"))
        .body("actions.find { it.action == 'resume' }.allowed", equalTo(true));
    get("/sagas?held=true&subject=" + trip).body("sagas.hold.by", contains("olga"));
    await().atMost(SOON).untilAsserted(() -> get("/sagas/overview").body("held", atLeast(1)));
    post(saga + "/hold", "{}").statusCode(409).body("detail", containsString("already"));

    post(saga + "/resume", "{\"reason\": \"settled\"}").statusCode(200).body("hold", nullValue());

    awaitStep(trip, "reserve-flight", "SUCCEEDED");
    awaitStep(trip, "charge-card", "WAITING");
    assertThat(kept(trip)).isZero();
    assertThat(
            text(
                """
                SELECT string_agg(action || ' ' || reason, ', ' ORDER BY seq)
                FROM   operator_audit
                WHERE  subject_id = (SELECT id::text FROM saga_instance WHERE subject_id = ?)
                """,
                trip))
        .isEqualTo("hold a dispute, resume settled");
  }

  @Test
  void aHoldEndsByItself() throws Exception {
    UUID trip = book("OF 22");
    awaitStep(trip, "reserve-flight", "WAITING");
    Instant until = Instant.now().plusSeconds(2);

    post("/sagas/%s/hold".formatted(sagaOf(trip)), "{\"until\": \"%s\"}".formatted(until))
        .statusCode(200)
        .body("hold.until", notNullValue());

    awaitSwept(() -> saga(trip).body("hold", nullValue()));
    saga(trip).body("history.event", hasItem("saga-resumed"));
    post("/sagas/%s/hold".formatted(sagaOf(trip)), "{\"until\": \"2020-01-01T00:00:00Z\"}")
        .statusCode(400);
  }

  @Test
  void aDefinitionOnHoldHoldsItsSagasAndStartsNewOnesOnceItIsResumed() throws Exception {
    UUID open = book("OF 23");
    awaitStep(open, "reserve-flight", "WAITING");

    post(DEFINITION + "/hold", "{\"reason\": \"look first\"}")
        .statusCode(200)
        .body("hold.by", equalTo("olga"));
    try {
      await().atMost(SOON).untilAsserted(() -> saga(open).body("hold.definition", equalTo(true)));
      post("/sagas/%s/resume".formatted(sagaOf(open)), "{}")
          .statusCode(409)
          .body("detail", containsString("resume the definition"));
      key = "key-" + UUID.randomUUID();
      UUID fresh = book("OF 24");
      saga(fresh)
          .body("hold.definition", equalTo(true))
          .body("status", equalTo("RUNNING"))
          .body("history.event", contains("saga-held"));
      saga(fresh).body("steps.status", everyItem(equalTo("PENDING")));

      post(DEFINITION + "/resume", "{\"reason\": \"seen\"}").statusCode(200);

      awaitSwept(
          () ->
              saga(fresh)
                  .body("steps.find { it.name == 'reserve-flight' }.status", equalTo("WAITING")));
      await().atMost(SOON).untilAsserted(() -> saga(open).body("hold", nullValue()));
      reply(fresh, "FlightReserved", "reserve-flight", "done", reserved(fresh));
      awaitStep(fresh, "charge-card", "WAITING");
    } finally {
      post(DEFINITION + "/resume", "{}");
    }
    await()
        .atMost(SOON)
        .until(
            () ->
                text(
                        "SELECT count(*)::text FROM saga_definition_control WHERE ?::uuid IS NOT NULL",
                        open)
                    .equals("0"));
    post(DEFINITION + "/resume", "{}").statusCode(409);
    post("/sagas/definitions/unknown/hold", "{}").statusCode(404);
  }

  @Test
  void aVersionIsStartedOnlyIfEveryLivingReplicaKnowsIt() throws Exception {
    // An application that was killed before counts for half a minute.
    await()
        .atMost(SOON.plusMinutes(1))
        .untilAsserted(
            () -> bookTrip().body("replicas", equalTo(1)).body("versions.knownBy", contains(1)));
    post(DEFINITION + "/start-version", "{\"version\": 2, \"share\": 10}")
        .statusCode(409)
        .body("detail", containsString("does not know version 2 of book-trip"));
    UUID older = UUID.randomUUID();
    text("INSERT INTO saga_replica (id, known) VALUES (?, '{x v1}') RETURNING id::text", older);
    try {
      post(DEFINITION + "/start-version", "{\"version\": 1, \"share\": 10}")
          .statusCode(409)
          .body("detail", containsString("1 of the 2 living replicas do not know version 1"));
    } finally {
      text("DELETE FROM saga_replica WHERE id = ? RETURNING id::text", older);
    }

    post(DEFINITION + "/start-version", "{\"version\": 1, \"share\": 10, \"reason\": \"try\"}")
        .statusCode(200)
        .body("start.share", equalTo(10))
        .body("versions.share", contains(100));
    assertThat(
            text(
                """
                SELECT detail
                FROM   operator_audit
                WHERE  action = 'start-version'
                AND    subject_id = 'book-trip'
                AND    reason = 'try'
                AND    ?::uuid IS NOT NULL
                """,
                older))
        .isEqualTo("version 1 for 10 of 100 new sagas");
    post(DEFINITION + "/start-version", "{\"version\": 1, \"share\": 0}")
        .statusCode(200)
        .body("start", nullValue());
    post(DEFINITION + "/start-version", "{\"version\": 1, \"share\": 101}").statusCode(400);
  }

  @Test
  void isForOperatorsOnlyAndAViewerSeesNoReason() throws Exception {
    given()
        .auth()
        .oauth2(token("vera", "viewer"))
        .contentType("application/json")
        .body("{}")
        .post(DEFINITION + "/hold")
        .then()
        .statusCode(403);
    get("/sagas?held=true&definition=of-another").body("sagas", empty());
  }

  /** Timers are fired by the test alone. */
  private void awaitSwept(ThrowingRunnable what) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              sagas.transactions(unitOfWork).run(tx -> sagas.of("book-trip").fireDue(tx, 100));
              what.run();
            });
  }

  private static Matcher<Integer> atLeast(int count) {
    return greaterThanOrEqualTo(count);
  }

  private ValidatableResponse bookTrip() {
    return get("/sagas/definitions").rootPath("find { it.name == 'book-trip' }");
  }

  private static ValidatableResponse get(String path) {
    return given().auth().oauth2(token("olga", "operator")).get(path).then().statusCode(200);
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

  private int kept(UUID trip) throws SQLException {
    return Integer.parseInt(
        text(
            """
            SELECT count(*)::text
            FROM   parked_message
            WHERE  correlation_id = (SELECT id::text FROM saga_instance WHERE subject_id = ?)
            """,
            trip));
  }
}
