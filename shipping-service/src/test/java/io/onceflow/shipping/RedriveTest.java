package io.onceflow.shipping;

import static io.onceflow.launcher.testing.SagasStandIn.step;
import static io.onceflow.launcher.testing.SagasStandIn.waiting;
import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.launcher.testing.SagasStandIn;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Rule 13: what operators do with parked commands, and how the saga is asked before. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
@QuarkusTestResource(SagasStandIn.class)
class RedriveTest {

  private final UUID order = OutboxMessage.newId();
  private final String saga = UUID.randomUUID().toString();

  @Inject DataSource database;

  /** Quarkus puts it there. */
  SagasStandIn sagas;

  @Test
  void booksOnceWhatWasParkedWhileTheSagaWaitsForIt() throws Exception {
    String id = parkThoughItIsGood("ArrangeShipment", shipment());
    sagas.show(saga, "RUNNING", "", waiting("arrange-shipment"));

    redrive(id).statusCode(200).body("outcome", equalTo("redriven"));

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> ledger().body("kind", contains("BOOKING")));
    problem(redrive(id), 404, "not-found");
  }

  @Test
  void triesByItselfAgainWhatHasFailed() throws Exception {
    letItBeDue(parkThoughItIsGood("ArrangeShipment", shipment()));

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> ledger().body("kind", contains("BOOKING")));
  }

  @Test
  void refusesACommandOfASagaThatHasEndedAndSaysWhy() throws Exception {
    String id = parkThoughItIsGood("ArrangeShipment", shipment());
    sagas.show(saga, "COMPENSATED", "CANCELLED", step("arrange-shipment", "REFUSED", "null"));

    problem(redrive(id), 409, "saga-ended")
        .body("detail", containsString("COMPENSATED"))
        .body("detail", containsString("CANCELLED"));

    asOperator().get("/parked-messages/" + id).then().body("reason", equalTo("handling-failed"));
    ledger().body("$", hasSize(0));
  }

  @Test
  void changesNothingWhenTheSagaCannotBeAsked() throws Exception {
    String id = parkThoughItIsGood("ArrangeShipment", shipment());
    sagas.fail(saga, 503);

    problem(redrive(id), 503, "saga-not-asked");

    asOperator().get("/parked-messages/" + id).then().body("payload", equalTo(shipment()));
  }

  @Test
  void saysWhyAMessageStillCannotBeHandled() throws Exception {
    String id = parkThoughItIsGood("SendFlowers", shipment());
    sagas.show(saga, "RUNNING", "", waiting("arrange-shipment"));

    problem(redrive(id), 409, "still-unhandled").body("detail", startsWith("unknown-type"));

    asOperator().get("/parked-messages/" + id).then().body("reason", equalTo("unknown-type"));
  }

  @Test
  void deletesAMessageForGood() throws Exception {
    String path = "/parked-messages/" + parkThoughItIsGood("ArrangeShipment", shipment());

    asOperator().delete(path).then().statusCode(204);

    problem(asOperator().delete(path).then(), 404, "not-found");
    problem(asOperator().get(path).then(), 404, "not-found");
  }

  @Test
  void obeysOperatorsOnly() throws Exception {
    String path = "/parked-messages/" + parkThoughItIsGood("ArrangeShipment", shipment());
    String alice = token("alice");

    problem(given().auth().oauth2(alice).get(path).then(), 403, "forbidden");
    problem(given().auth().oauth2(alice).delete(path).then(), 403, "forbidden");
    problem(given().auth().oauth2(alice).post(path + "/redrive").then(), 403, "forbidden");

    asOperator().get(path).then().statusCode(200);
  }

  private String shipment() {
    return """
    {"orderId": "%s", "items": [{"sku": "BOOK-42", "quantity": 2}],
     "address": {"name": "Ada Lovelace", "line1": "12 St James's Square", "city": "London",
       "postalCode": "SW1Y 4JH", "country": "GB"}}
    """
        .formatted(order);
  }

  /** As it is with a message whose handling failed for a bug that is mended since. */
  private String parkThoughItIsGood(String type, String payload) throws SQLException {
    UUID id = OutboxMessage.newId();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO parked_message
                       (id, queue, type, correlation_id, headers, payload, reason, detail)
                VALUES (?, 'shipping-service.commands', ?, ?,
                        jsonb_build_object('x-idempotency-key', ?, 'x-idempotency-scope', 'ada'),
                        ?, 'handling-failed', 'there was a bug')
                """)) {
      insert.setObject(1, id);
      insert.setString(2, type);
      insert.setString(3, saga);
      insert.setString(4, "key-of-" + saga);
      insert.setBytes(5, payload.getBytes(StandardCharsets.UTF_8));
      insert.executeUpdate();
    }
    return id.toString();
  }

  /** As if handling it had failed just now. */
  private void letItBeDue(String id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE parked_message SET next_attempt_at = now() WHERE id = ?::uuid")) {
      update.setString(1, id);
      update.executeUpdate();
    }
  }

  private static ValidatableResponse redrive(String id) {
    return asOperator().post("/parked-messages/" + id + "/redrive").then();
  }

  private static ValidatableResponse problem(
      ValidatableResponse response, int status, String type) {
    return response
        .statusCode(status)
        .contentType(startsWith("application/problem+json"))
        .body("type", equalTo("/problems/" + type));
  }

  private ValidatableResponse ledger() {
    return asOperator().get("/simulated-carrier/ledger?orderId=" + order).then().statusCode(200);
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(token("olga", "operator"));
  }
}
