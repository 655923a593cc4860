package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.internal.retention.SagaCleanup;
import io.onceflow.saga.internal.store.OlderSaga;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A saga about a JPA entity, with a broker and a database, and participants played by the test. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class TripSagaTest extends TripFixture {

  @Inject SagaCleanup cleanup;
  @Inject TripArchive archive;
  @Inject Sagas sagas;

  @Test
  void goesThroughWithTheEntityChangedInTheSagasTransactions() throws Exception {
    UUID trip = book("OF 1");

    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));
    awaitStep(trip, "reserve-flight", "SUCCEEDED");
    assertThat(column(trip, "reference")).isEqualTo("R1");
    reply(trip, "CardCharged", "charge-card", "done", "{}");

    await().atMost(SOON).until(() -> "CONFIRMED".equals(column(trip, "status")));
    saga(trip).body("status", equalTo("COMPLETED"));
  }

  @Test
  void isUndoneWhenThePivotIsRefusedByAnAnswerWithoutARecord() throws Exception {
    UUID trip = book("OF 2");
    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));
    awaitStep(trip, "charge-card", "WAITING");

    reply(trip, "CardRefused", "charge-card", "refused", "{\"reason\": \"no cover\"}");
    awaitStep(trip, "reserve-flight", "COMPENSATING");
    reply(trip, "StepDone", "cancel-flight", "done", "{}");

    await().atMost(SOON).until(() -> "CANCELLED NO_COVER".equals(column(trip, "status")));
    saga(trip).body("status", equalTo("COMPENSATED"));
  }

  @Test
  void isCancelledAndShownByTheApplicationInItsOwnTransactions() throws Exception {
    UUID trip = book("OF 9");
    awaitStep(trip, "reserve-flight", "WAITING");

    assertThat(QuarkusTransaction.requiringNew().call(() -> cancel(trip)))
        .contains(CancelOutcome.COMPENSATING);
    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));
    awaitStep(trip, "reserve-flight", "COMPENSATING");
    reply(trip, "StepDone", "cancel-flight", "done", "{}");

    await().atMost(SOON).until(() -> "CANCELLED NO_TIME".equals(column(trip, "status")));
    assertThat(QuarkusTransaction.requiringNew().call(() -> sagas.about(BookTrip.class, trip)))
        .hasValueSatisfying(
            saga -> assertThat(saga.history().toString()).contains("by ada").contains("NO_TIME"));
    assertThatIllegalStateException().isThrownBy(() -> cancel(trip));
  }

  private Optional<CancelOutcome> cancel(UUID trip) {
    return sagas.cancel(BookTrip.class, trip, "NO_TIME", "ada");
  }

  @Test
  void parksAReplyThatDoesNotFitTheEntity() throws Exception {
    UUID trip = book("OF 3");

    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(UUID.randomUUID()));

    await()
        .atMost(SOON)
        .until(
            () -> count("SELECT count(*) FROM parked_message WHERE correlation_id = ?", trip) == 1);
    assertThat(column(trip, "reference")).isNull();
  }

  /** Seen red: it did not say by which property another application is named. */
  @Test
  void parksAReplyOfAnApplicationThatIsNotNamedAndSaysWhereToNameIt() throws Exception {
    UUID trip = book("OF 8");

    reply(trip, "airline", "FlightReserved", "reserve-flight", "done", reserved(trip));

    await()
        .atMost(SOON)
        .until(
            () -> count("SELECT count(*) FROM parked_message WHERE correlation_id = ?", trip) == 1);
    assertThat(
            text(
                """
                SELECT detail
                FROM   parked_message
                WHERE  correlation_id = (SELECT id::text FROM saga_instance WHERE subject_id = ?)
                """,
                trip))
        .contains(
            "flight-service was asked for reserve-flight; the reply has the routing key trips.airline,"
                + " and neither its @Command nor onceflow.saga.replies.participants.flight names the sender");
  }

  @Test
  void keepsNothingOfAReplyWhoseTransactionFails() throws Exception {
    UUID trip = book("UNCONFIRMABLE");
    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));
    awaitStep(trip, "charge-card", "WAITING");

    reply(trip, "CardCharged", "charge-card", "done", "{}");

    await()
        .atMost(SOON)
        .until(
            () -> count("SELECT count(*) FROM parked_message WHERE correlation_id = ?", trip) == 1);
    saga(trip).body("status", equalTo("RUNNING"));
    assertThat(column(trip, "status")).isEqualTo("BOOKING");
  }

  @Test
  void startsNothingWhereTheCallersTransactionIsRolledBack() throws SQLException {
    given().auth().oauth2(token("ada")).header("Idempotency-Key", key).body("FAILS").post("/trips");

    try (java.sql.Connection sql = database.getConnection();
        PreparedStatement select =
            sql.prepareStatement("SELECT count(*) FROM saga_instance WHERE root_key = ?")) {
      select.setString(1, key);
      ResultSet row = select.executeQuery();
      row.next();
      assertThat(row.getInt(1)).isZero();
    }
  }

  @Test
  void isNotStartedWhereTheGuardsTransactionIsNotTheMethods() {
    given()
        .auth()
        .oauth2(token("ada"))
        .header("Idempotency-Key", key)
        .post("/trips/shared")
        .then()
        .statusCode(500);
  }

  @Test
  void isRetriedByAnOperatorWhomTheAuditLogNames() throws Exception {
    UUID trip = book("OF 6");
    String retry = "/sagas/%s/retry".formatted(sagaOf(trip));

    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .contentType("application/json")
        .body("{\"reason\": \"the airline is back\"}")
        .post(retry)
        .then()
        .statusCode(200);

    assertThat(audited(trip)).isEqualTo("olga retry the airline is back");
  }

  /** Nothing has changed, so there is nothing to record. */
  @Test
  void isNotInTheAuditLogWhenItRefused() throws Exception {
    UUID trip = confirmed("OF 7", "1 day");

    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .post("/sagas/%s/retry".formatted(sagaOf(trip)))
        .then()
        .statusCode(409);

    assertThat(audited(trip)).isEqualTo("");
  }

  private String audited(UUID trip) throws SQLException {
    return text(
        """
        SELECT coalesce(string_agg(concat_ws(' ', actor, action, reason), ', ' ORDER BY seq), '')
        FROM   operator_audit
        WHERE  subject_id = (SELECT id::text FROM saga_instance WHERE subject_id = ?)
        """,
        trip);
  }

  @Test
  void isArchivedWithItsEntityInTheTransactionThatDeletesIt() throws Exception {
    UUID trip = confirmed("OF 4", "91 days");

    cleanup.deleteExpired();

    await().atMost(SOON).until(() -> !isStored("saga_instance WHERE subject_id = ?", trip));
    assertThat(isStored("trip WHERE id = ?", trip)).isFalse();
    assertThat(archive.archived())
        .filteredOn(it -> it.subjectId().equals(trip))
        .first()
        .satisfies(it -> assertThat(it.saga().steps()).hasSize(3))
        .satisfies(it -> assertThat(it.saga().history()).isNotEmpty());
  }

  @Test
  void isKeptWhileItCannotBeArchivedAndKeepsNoOther() throws Exception {
    UUID poisoned = confirmed(TripArchive.UNARCHIVABLE, "91 days");
    UUID other = confirmed("OF 5", "91 days");

    cleanup.deleteExpired();

    await().atMost(SOON).until(() -> !isStored("saga_instance WHERE subject_id = ?", other));
    assertThat(isStored("trip WHERE id = ?", other)).isFalse();
    assertThat(isStored("saga_instance WHERE subject_id = ?", poisoned)).isTrue();
    assertThat(isStored("trip WHERE id = ?", poisoned)).isTrue();
  }

  private UUID confirmed(String flight, String ago) throws Exception {
    key = "key-" + UUID.randomUUID();
    UUID trip = book(flight);
    reply(trip, "FlightReserved", "reserve-flight", "done", reserved(trip));
    awaitStep(trip, "charge-card", "WAITING");
    reply(trip, "CardCharged", "charge-card", "done", "{}");
    await().atMost(SOON).until(() -> "CONFIRMED".equals(column(trip, "status")));
    try (java.sql.Connection sql = database.getConnection()) {
      OlderSaga.make(sql, UUID.fromString(sagaOf(trip)), ago);
    }
    return trip;
  }

  private boolean isStored(String row, UUID id) throws SQLException {
    return text("SELECT EXISTS (SELECT FROM %s)::text".formatted(row), id).equals("true");
  }

  private int count(String sql, UUID trip) throws SQLException {
    try (java.sql.Connection connected = database.getConnection();
        PreparedStatement select = connected.prepareStatement(sql)) {
      select.setString(1, sagaOf(trip));
      ResultSet row = select.executeQuery();
      row.next();
      return row.getInt(1);
    }
  }
}
