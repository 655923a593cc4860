package io.onceflow.payment.gateway;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Payments are compared with the simulated gateway's charges on a day of long ago. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class PaymentBooksTest {

  private static final String DAY = "2025-03-14";
  private static final String NOON = DAY + "T12:00:00Z";

  /** A UUIDv7 of that noon. */
  private static final long NOON_BITS = java.time.Instant.parse(NOON).toEpochMilli() << 16;

  @Inject DataSource database;

  private final UUID order = OutboxMessage.newId();

  @BeforeEach
  void forgetTheDay() throws SQLException {
    execute("DELETE FROM payment WHERE processed_at < '2026-01-01'");
    execute("DELETE FROM simulated_gateway.ledger WHERE at < '2026-01-01'");
    execute("DELETE FROM reconciliation_difference");
    paid("ch_same", 700);
    charged("ch_same", 700);
  }

  @Test
  void booksThatAgreeHaveNoDifferences() {
    compare()
        .body("status", equalTo("COMPLETED"))
        .body("ours", equalTo(1))
        .body("theirs", equalTo(1));

    differences().body("differences", hasSize(0));
  }

  @Test
  void aChargeBehindOurBackIsFoundAndRefundedOnce() throws SQLException {
    charged("ch_stray", 500);
    compare().body("differences", equalTo(1));

    Response found = as("olga", "operator").get("/reconciliation-differences");
    found
        .then()
        .body("differences", hasSize(1))
        .body("differences[0].kind", equalTo("MISSING_HERE"))
        .body("differences[0].reference", equalTo("ch_stray"))
        .body("differences[0].theirs[0].amount", equalTo(500))
        .body("differences[0].proposal", equalTo("refund the charge ch_stray"));
    String id = found.path("differences[0].id");

    act(id, "mend").statusCode(200).body("status", equalTo("MENDED"));
    act(id, "mend").statusCode(409).body("type", equalTo("/problems/mend-refused"));

    assertThat(
            text(
                "SELECT count(*) FROM simulated_gateway.ledger WHERE reference = 'ch_stray' AND"
                    + " kind = 'REFUND'"))
        .isEqualTo("1");
    assertThat(text("SELECT action FROM operator_audit WHERE subject_id = '%s'".formatted(id)))
        .isEqualTo("reconciliation-mend");
    compare().body("differences", equalTo(0));
  }

  /** The service was down for longer than what is under way is left to the next run. */
  @Test
  void aChargeWhoseStepHasNotEndedIsUnderWay() throws SQLException {
    charged("ch_begun", 500);
    execute(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, lease_expires_at, envelope)
        SELECT customer, idempotency_key, '', 'STARTED', now() + interval '1 hour', '{}'
        FROM   simulated_gateway.ledger
        WHERE  reference = 'ch_begun'
        """);
    compare().body("differences", equalTo(0));

    execute("DELETE FROM inbox_message WHERE step_key LIKE 'k-ch_begun-%'");
    compare().body("differences", equalTo(1));
  }

  /** The broker has lost it, and no saga sends it again: nothing takes the step up. */
  @Test
  void aChargeWhoseMessageHasNotComeAgainForADayIsStray() throws SQLException {
    charged("ch_purged", 500);
    execute(
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, lease_expires_at)
        SELECT customer, idempotency_key, '', 'STARTED', now() - interval '23 hours'
        FROM   simulated_gateway.ledger
        WHERE  reference = 'ch_purged'
        """);
    compare().body("differences", equalTo(0));

    execute(
        """
        UPDATE inbox_message
        SET    lease_expires_at = now() - interval '25 hours'
        WHERE  step_key LIKE 'k-ch_purged-%'
        """);
    compare().body("differences", equalTo(1));
  }

  @Test
  void anAlteredAmountAndALostChargeAreLeftToPeople() throws SQLException {
    paid("ch_altered", 300);
    charged("ch_altered", 301);
    paid("ch_lost", 400);
    compare().body("differences", equalTo(2));

    Response found = as("olga", "operator").get("/reconciliation-differences?kind=AMOUNT");
    found.then().body("differences", hasSize(1)).body("differences[0].proposal", nullValue());
    String id = found.path("differences[0].id");

    act(id, "mend").statusCode(409);
    act(id, "dismiss").statusCode(200).body("status", equalTo("DISMISSED"));
    compare();
    as("olga", "operator")
        .get("/reconciliation-differences?status=OPEN")
        .then()
        .body("differences.reference", equalTo(java.util.List.of("ch_lost")));
  }

  @Test
  void whoComparesIsInTheAuditLog() throws SQLException {
    String id = compare().extract().path("id");

    assertThat(
            text(
                "SELECT actor || ' ' || action || ' ' || detail FROM operator_audit WHERE"
                    + " subject_kind = 'reconciliation' AND subject_id = '%s'".formatted(id)))
        .isEqualTo("olga reconciliation-start payments-gateway of " + DAY);
  }

  @Test
  void refundsAreComparedToo() throws SQLException {
    paid("ch_refunded", 300);
    execute(
        "UPDATE payment SET status = 'REFUNDED', refunded_at = '%s' WHERE gateway_reference = 'ch_refunded'"
            .formatted(NOON));
    charged("ch_refunded", 300);
    compare().body("differences", equalTo(1));

    Response found = as("olga", "operator").get("/reconciliation-differences?kind=STATE");
    found
        .then()
        .body(
            "differences[0].proposal",
            startsWith("ask again for the refund of the charge ch_refunded"));
    act(found.path("differences[0].id"), "mend").statusCode(200).body("status", equalTo("MENDED"));

    assertThat(
            text(
                "SELECT sum(amount) FROM simulated_gateway.ledger WHERE reference = 'ch_refunded'"
                    + " AND kind = 'REFUND'"))
        .isEqualTo("300");
    compare().body("differences", equalTo(0));
  }

  @Test
  void daysThatHaveEndedAreComparedByThemselves() {
    await("a scheduled comparison is made")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                as("olga", "operator")
                    .get("/reconciliations?limit=500")
                    .then()
                    .body(
                        "reconciliations.findAll { it.requestedBy == null }.status",
                        hasItem("COMPLETED")));
  }

  @Test
  void viewersSeeNoEvidence() throws SQLException {
    charged("ch_stray", 500);
    compare();

    as("vera", "viewer")
        .get("/reconciliation-differences")
        .then()
        .statusCode(200)
        .body("differences[0].kind", equalTo("MISSING_HERE"))
        .body("differences[0].theirs", nullValue());
    as("vera", "viewer").get("/books/payments?from=" + NOON + "&to=" + NOON).then().statusCode(403);
  }

  @Test
  void anotherServiceReadsABookPageByPage() throws SQLException {
    paid("ch_second", 300);
    String book = "/books/payments?from=%sT00:00:00Z&to=%sT23:00:00Z&limit=1".formatted(DAY, DAY);

    Response first = as("olga", "operator").get(book);
    first.then().statusCode(200).body("entries", hasSize(1));
    Response second = as("olga", "operator").get(book + "&cursor=" + first.path("next"));
    second.then().body("entries", hasSize(1)).body("entries[0].state", equalTo("CHARGED"));
    as("olga", "operator")
        .get(book + "&cursor=" + second.path("next"))
        .then()
        .body("entries", hasSize(0))
        .body("next", nullValue());
  }

  @Test
  void anotherServiceLooksUpAnOrder() {
    String book = "/books/payments-by-order/entries?reference=";

    as("olga", "operator")
        .get(book + order)
        .then()
        .statusCode(200)
        .body("entries.reference", equalTo(java.util.List.of(order.toString())));
    as("olga", "operator").get(book + "no-order").then().body("entries", hasSize(0));
  }

  @Test
  void badRequestsAreTold() {
    start("{\"comparison\": \"no-such\", \"day\": \"2025-03-14\"}").statusCode(404);
    start("{\"comparison\": \"payments-gateway\", \"day\": \"2025-02-30\"}").statusCode(400);
    start("{\"comparison\": \"payments-gateway\", \"day\": \"2999-01-01\"}").statusCode(400);
    start("{}").statusCode(400);
    as("olga", "operator")
        .get("/books/no-such?from=" + NOON + "&to=" + NOON)
        .then()
        .statusCode(404);
    as("olga", "operator").get("/books/payments?from=now&to=" + NOON).then().statusCode(400);
    as("olga", "operator")
        .get("/books/payments?from=" + NOON + "&to=" + NOON + "&cursor=x")
        .then()
        .statusCode(400);
    as("olga", "operator").get("/reconciliation-differences?kind=ODD").then().statusCode(400);
    act(UUID.randomUUID().toString(), "mend").statusCode(404);
  }

  private ValidatableResponse compare() {
    String id =
        start("{\"comparison\": \"payments-gateway\", \"day\": \"%s\"}".formatted(DAY))
            .statusCode(202)
            .extract()
            .path("id");
    await("the day is compared")
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> as("olga", "operator").get("/reconciliations/" + id).path("finishedAt") != null);
    return as("olga", "operator")
        .get("/reconciliations/" + id)
        .then()
        .body("failure", nullValue())
        .body("status", equalTo("COMPLETED"));
  }

  private static ValidatableResponse start(String body) {
    return as("olga", "operator")
        .contentType(ContentType.JSON)
        .body(body)
        .post("/reconciliations")
        .then();
  }

  private static ValidatableResponse differences() {
    return as("olga", "operator").get("/reconciliation-differences").then().statusCode(200);
  }

  private static ValidatableResponse act(String difference, String what) {
    return as("olga", "operator")
        .contentType(ContentType.JSON)
        .body("{\"reason\": \"seen in a test\"}")
        .post("/reconciliation-differences/" + difference + "/" + what)
        .then();
  }

  private static RequestSpecification as(String name, String... roles) {
    return given().auth().oauth2(token(name, roles));
  }

  private void paid(String reference, long amount) throws SQLException {
    UUID id = new UUID(NOON_BITS | 0x7000 | (reference.hashCode() & 0xfff), reference.hashCode());
    execute(
        """
        INSERT INTO payment (id, order_id, scope, step_key, status, amount, currency,
                             gateway_reference, processed_at)
        VALUES ('%s', '%s', 'alice', 'k-%s:process-payment@order-service/place-order',
                'PROCESSED', %d, 'EUR', '%s', '%s')
        """
            .formatted(id, order, reference, amount, reference, NOON));
  }

  private void charged(String reference, long amount) throws SQLException {
    execute(
        """
        INSERT INTO simulated_gateway.ledger
               (customer, idempotency_key, kind, reference, order_id, amount, currency, at)
        VALUES ('alice', 'k-%s-%s', 'CHARGE', '%s', '%s', %d, 'EUR', '%s')
        """
            .formatted(reference, UUID.randomUUID(), reference, order, amount, NOON));
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }
}
