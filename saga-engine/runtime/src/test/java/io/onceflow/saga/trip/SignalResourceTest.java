package io.onceflow.saga.trip;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.sql.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events and approvals over HTTP. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class SignalResourceTest {

  private static final String SIGNED = "{\"by\": \"ada\"}";
  private static final String YES = "{\"approved\": true}";
  private static final String NO = "{\"approved\": false, \"reason\": \"two invoices are open\"}";

  @Inject Sagas sagas;
  @Inject DataSource database;

  private UUID saga;

  @BeforeEach
  void start() {
    Trip trip = new Trip();
    IdempotencyKey key = new IdempotencyKey("key-" + trip.id);
    saga =
        QuarkusTransaction.requiringNew()
            .call(() -> sagas.start(BookGroup.class, new SagaStart<>(trip, "ada", key, null)));
  }

  @Test
  void anEventIsTakenKeptRepeatedOrNotAwaited() throws SQLException {
    details().body("waiting.sentence", startsWith("Waits for the event deposit-paid until 20"));

    signal("contract-signed", "k1", SIGNED).statusCode(200).body("outcome", equalTo("KEPT"));
    signal("contract-signed", "k1", SIGNED).statusCode(200).body("outcome", equalTo("REPEATED"));
    asOperator()
        .header("Idempotency-Key", "\"k2\"")
        .post(path("signals/deposit-paid"))
        .then()
        .statusCode(200)
        .body("outcome", equalTo("TAKEN"))
        .body("saga.steps.find { it.name == 'contract-signed' }.status", equalTo("SUCCEEDED"));
    signal("deposit-paid", "k3", "")
        .statusCode(409)
        .body("type", endsWith("/problems/saga-refuses"))
        .body("detail", containsString("it does not wait for deposit-paid, which is SUCCEEDED"));

    assertThat(audited())
        .containsExactly(
            "olga signal null the event contract-signed",
            "olga signal null the event deposit-paid");
  }

  @Test
  void anEventHasAKeyAndThePayloadOfItsDefinition() throws SQLException {
    asOperator()
        .post(path("signals/deposit-paid"))
        .then()
        .statusCode(400)
        .body("type", endsWith("/problems/idempotency-key-missing"));
    signal("deposit-paid", "\"open", "")
        .statusCode(400)
        .body("type", endsWith("/problems/idempotency-key-malformed"));
    signal("deposit-paid", "k1", SIGNED).statusCode(400).body("detail", containsString("no body"));
    signal("contract-signed", "k1", "")
        .statusCode(400)
        .body("detail", containsString("has ContractSigned as its payload"));
    for (String payload : List.of("[]", "{\"by\": {}}", "{\"by\"", "null", "7")) {
      signal("contract-signed", "k1", payload).statusCode(400);
    }
    signal("contract-signed", "k1", "{\"by\": \"%s\"}".formatted("x".repeat(16_384)))
        .statusCode(413);
    signal("contract-sined", "k1", SIGNED)
        .statusCode(404)
        .body("detail", containsString("waits for: deposit-paid, contract-signed"));
    signal("credit", "k1", "").statusCode(404);
    as("olga", "operator")
        .header("Idempotency-Key", "k1")
        .post("/sagas/%s/signals/deposit-paid".formatted(UUID.randomUUID()))
        .then()
        .statusCode(404);

    assertThat(audited()).isEmpty();
  }

  @Test
  void anEventIsReportedByOperatorsOnly() {
    for (String role : List.of("viewer", "clerk", "customer")) {
      as("vera", role)
          .header("Idempotency-Key", "k1")
          .post(path("signals/deposit-paid"))
          .then()
          .statusCode(403);
    }
  }

  @Test
  void anApprovalNeedsTwoOperatorsOfItsRole() throws SQLException {
    awaitApproval();
    details()
        .body("waiting.sentence", startsWith("Waits for the approval credit by clerk (two op"))
        .body("approvals", hasSize(1))
        .body("approvals[0].name", equalTo("credit"))
        .body("approvals[0].role", equalTo("clerk"))
        .body("approvals[0].approvers", equalTo(2))
        .body("approvals[0].approvedBy", nullValue())
        .body("approvals[0].allowed", equalTo(false));

    answer("cleo", "clerk", YES).statusCode(200).body("status", equalTo("RUNNING"));
    details()
        .body("waiting.sentence", containsString("clerk (a second operator beside cleo), until"))
        .body("approvals[0].approvedBy", equalTo("cleo"));
    answer("cleo", "clerk", YES)
        .statusCode(409)
        .body("type", endsWith("/problems/second-operator-needed"))
        .body("detail", startsWith("cleo has approved credit"));
    answer("carl", "clerk", YES).statusCode(200).body("status", equalTo("COMPLETED"));
    answer("carl", "clerk", YES).statusCode(200);
    answer("cora", "clerk", YES)
        .statusCode(409)
        .body("type", endsWith("/problems/saga-refuses"))
        .body("detail", containsString("it has ended as COMPLETED"));

    details().body("approvals", empty());
    assertThat(audited())
        .endsWith("cleo approve null the approval credit", "carl approve null the approval credit");
  }

  @Test
  void oneRefusalCompensatesAlsoOfTheOneWhoHasApproved() throws SQLException {
    awaitApproval();
    answer("cleo", "clerk", YES).statusCode(200);

    answer("cleo", "clerk", "{\"approved\": false}")
        .statusCode(400)
        .body("detail", containsString("needs a reason"));
    answer("cleo", "clerk", NO)
        .statusCode(200)
        .body("status", equalTo("COMPENSATED"))
        .body("reason", equalTo("NOT_APPROVED"))
        .body(
            "history.find { it.event == 'refused' }.detail",
            equalTo("by cleo: two invoices are open"));

    assertThat(audited()).endsWith("cleo refuse two invoices are open the approval credit");
  }

  @Test
  void anApprovalIsForItsRoleAlone() throws SQLException {
    answer("cleo", "clerk", YES)
        .statusCode(409)
        .body("detail", containsString("it does not wait for credit, which is PENDING"));
    awaitApproval();

    for (String role : List.of("operator", "viewer", "customer")) {
      answer("olga", role, YES).statusCode(403);
      given()
          .auth()
          .oauth2(token("olga", role))
          .post(path("approvals/credit"))
          .then()
          .statusCode(403);
    }
    as("cleo", "clerk").post(path("approvals/credit")).then().statusCode(400);
    as("cleo", "clerk").body("{}").post(path("approvals/credit")).then().statusCode(400);
    as("cleo", "clerk")
        .body(YES)
        .post(path("approvals/deposit-paid"))
        .then()
        .statusCode(404)
        .body("detail", containsString("waits for: credit"));
    as("cleo", "clerk")
        .body(YES)
        .post("/sagas/%s/approvals/credit".formatted(UUID.randomUUID()))
        .then()
        .statusCode(404);
    answer("cleo", "clerk", YES).body("steps[0].idempotencyKey", nullValue());
  }

  private void awaitApproval() {
    signal("deposit-paid", "k1", "").statusCode(200);
    signal("contract-signed", "k2", SIGNED).statusCode(200).body("outcome", equalTo("TAKEN"));
  }

  private ValidatableResponse signal(String event, String key, String payload) {
    return asOperator()
        .header("Idempotency-Key", key)
        .body(payload)
        .post(path("signals/" + event))
        .then();
  }

  private ValidatableResponse answer(String name, String role, String body) {
    return as(name, role).body(body).post(path("approvals/credit")).then();
  }

  private ValidatableResponse details() {
    return asOperator().get(path("details")).then().statusCode(200);
  }

  private String path(String end) {
    return "/sagas/%s/%s".formatted(saga, end);
  }

  private static RequestSpecification asOperator() {
    return as("olga", "operator");
  }

  private static RequestSpecification as(String name, String role) {
    return given().auth().oauth2(token(name, role)).contentType("application/json");
  }

  private List<String> audited() throws SQLException {
    String sql =
        "SELECT actor, action, reason, detail FROM operator_audit WHERE subject_id = ? ORDER BY seq";
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          sql,
          row ->
              "%s %s %s %s"
                  .formatted(
                      row.text("actor"),
                      row.text("action"),
                      row.text("reason"),
                      row.text("detail")),
          saga.toString());
    }
  }
}
