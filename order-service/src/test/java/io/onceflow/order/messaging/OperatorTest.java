package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators see of sagas and may ask of them. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class OperatorTest {

  @Inject BrokerConnection broker;
  @Inject DataSource database;

  private final String customer = "customer-" + UUID.randomUUID();
  private Channel channel;
  private PlayedOrder order;
  private AgedSagas sagas;

  @BeforeEach
  void placeAnOrder() throws IOException {
    channel = broker.openChannel();
    sagas = new AgedSagas(database);
    order = PlayedOrder.place(customer);
  }

  @AfterEach
  void close() throws Exception {
    channel.close();
  }

  @Test
  void detailsTellWhatASagaWaitsForAndWhatEachActionComesTo() {
    asOperator()
        .get("/sagas/%s/details".formatted(order.saga()))
        .then()
        .statusCode(200)
        .body("saga.id", equalTo(order.saga()))
        .body("subjectId", equalTo(order.id()))
        .body("customer", equalTo(customer))
        .body("hidden", equalTo(false))
        .body("waiting.step", equalTo("process-payment"))
        .body("waiting.command", equalTo("ProcessPayment"))
        .body("waiting.participant", equalTo("payment-service"))
        .body("waiting.attempts", equalTo(1))
        .body(
            "waiting.sentence",
            containsString("Waits for payment-service to answer process-payment (ProcessPayment)"))
        .body("actions.action", equalTo(List.of("retry", "compensate", "cancel", "hold", "resume")))
        .body("actions.allowed", equalTo(List.of(true, true, true, true, false)))
        .body("actions[0].comesTo", containsString("process-payment"))
        .body("actions[1].comesTo", containsString("refund-payment"));
    asOperator()
        .get("/sagas/%s/messages".formatted(order.saga()))
        .then()
        .statusCode(200)
        .body("[0].type", equalTo("ProcessPayment"))
        .body("[0].service", equalTo("payment-service"))
        .body("[0].body", containsString(order.id()));
  }

  @Test
  void aViewerSeesSagasWithoutPersonalDataAndMovesNone() {
    String key = asOperator().get("/sagas/" + order.saga()).path("steps[0].idempotencyKey");
    String details =
        asViewer()
            .get("/sagas/%s/details".formatted(order.saga()))
            .then()
            .statusCode(200)
            .body("hidden", equalTo(true))
            .body("saga.status", equalTo("RUNNING"))
            .extract()
            .asString();
    String root = key.substring(0, key.lastIndexOf(':'));
    assertThat(details).doesNotContain(customer).doesNotContain(root);
    assertThat(asViewer().get("/sagas/" + order.saga()).asString()).doesNotContain(root);
    assertThat(asViewer().get("/sagas/%s/messages".formatted(order.saga())).asString())
        .doesNotContain(root)
        .doesNotContain(order.id());
    assertThat(asViewer().get("/sagas?order=newest").asString())
        .contains(order.saga())
        .doesNotContain(customer);

    asViewer().get("/sagas?customer=" + customer).then().statusCode(403);
    for (String action : List.of("retry", "compensate", "cancel")) {
      asViewer().post("/sagas/%s/%s".formatted(order.saga(), action)).then().statusCode(403);
    }
    assertThat(asOperator().get("/sagas/" + order.saga()).<List<?>>path("history"))
        .as("saga-started and command-sent")
        .hasSize(2);
  }

  @Test
  void anOperatorFindsACustomersSagasAndCancelsOne() {
    asOperator()
        .get("/sagas?order=newest&customer=" + customer)
        .then()
        .statusCode(200)
        .body("sagas.id", equalTo(List.of(order.saga())))
        .body("sagas[0].customer", equalTo(customer))
        .body("sagas[0].steps", equalTo(List.of("process-payment")));
    asOperator()
        .get("/sagas/count?customer=" + customer)
        .then()
        .body("count", equalTo(1))
        .body("exact", equalTo(true));

    asOperator()
        .contentType(ContentType.JSON)
        .body("{\"why\": \"ordered by mistake\"}")
        .post("/sagas/%s/cancel".formatted(order.saga()))
        .then()
        .statusCode(200)
        .body("history.event", hasItem("cancel-requested"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"version=x", "order=up", "startedAfter=soon", "startedBefore=9999", "overdue=1"})
  void aFilterThatIsWrongIsNamed(String filter) {
    asOperator()
        .get("/sagas?" + filter)
        .then()
        .statusCode(400)
        .body("detail", containsString(filter.substring(0, filter.indexOf('='))));
  }

  @Test
  void listsSagasByStatusAndAgePageByPage() throws SQLException {
    PlayedOrder second = PlayedOrder.place(customer);
    sagas.age(order.saga(), "3 days");
    sagas.age(second.saga(), "3 days");

    Response first = asOperator().get("/sagas?status=RUNNING&olderThan=P2D&limit=1");
    first
        .then()
        .statusCode(200)
        .body("sagas.id", equalTo(List.of(order.saga())))
        .body("sagas[0].definition", equalTo("place-order"))
        .body("sagas[0].version", equalTo(1))
        .body("sagas[0].subjectId", equalTo(order.id()))
        .body("sagas[0].status", equalTo("RUNNING"))
        .body("next", equalTo(order.saga()));
    asOperator()
        .get("/sagas?status=RUNNING&olderThan=P2D&limit=1&cursor=" + first.path("next"))
        .then()
        .body("sagas.id", equalTo(List.of(second.saga())))
        .body("$", not(hasKey("next")));
    asOperator()
        .get("/sagas?status=COMPENSATING&olderThan=P2D")
        .then()
        .body("sagas.id", equalTo(List.of()));
    asOperator()
        .get("/sagas?definition=return-order&limit=500")
        .then()
        .body("sagas.id", not(hasItem(order.saga())));
    sagas.end(order, second);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status=LOST",
        "olderThan=yesterday",
        "olderThan=-PT1H",
        "olderThan=P99999D",
        "limit=0",
        "limit=501"
      })
  void refusesAListThatCannotBe(String query) {
    asOperator()
        .get("/sagas?" + query)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("detail", containsString(query.substring(0, query.indexOf('='))));
  }

  @Test
  void showsAnySagaToOperatorsOnly() {
    asOperator()
        .get("/sagas/" + order.saga())
        .then()
        .statusCode(200)
        .body("id", equalTo(order.saga()))
        .body("steps[0].name", equalTo("process-payment"));
    asOperator().get("/sagas/" + UUID.randomUUID()).then().statusCode(404);
    for (String path : List.of("/sagas", "/sagas/" + order.saga())) {
      given().auth().oauth2(token(customer)).get(path).then().statusCode(403);
    }
    for (String path : List.of("retry", "compensate")) {
      given()
          .auth()
          .oauth2(token(customer))
          .post("/sagas/" + order.saga() + "/" + path)
          .then()
          .statusCode(403);
    }
  }

  @Test
  void sendsAgainAtOnceAndKeepsWhoAskedAndWhy() {
    asOperator()
        .contentType(ContentType.JSON)
        .body("{\"why\": \"the gateway is back\"}")
        .post("/sagas/" + order.saga() + "/retry")
        .then()
        .statusCode(200)
        .body("steps[0].attempts", equalTo(2))
        .body("history.event", hasItem("retry-requested"))
        .body("history.detail", hasItem("by olga: the gateway is back"));
  }

  @Test
  void undoesASagaFromWhereItStands() throws IOException {
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");

    asOperator()
        .post("/sagas/" + order.saga() + "/compensate")
        .then()
        .statusCode(200)
        .body("status", equalTo("COMPENSATING"))
        .body("reason", equalTo("COMPENSATED_BY_OPERATOR"))
        .body("history.detail", hasItem("by olga"));
    order.shipmentCancelled(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);

    order.awaitStatus("CANCELLED");
    assertThat(order.<String>read("cancellationReason")).isEqualTo("COMPENSATED_BY_OPERATOR");
  }

  @Test
  void refusesWhatMakesNoSenseAndSaysWhy() throws IOException {
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");
    order.shipmentArranged(channel);
    order.awaitStatus("CONFIRMED");
    List<String> before = order.saga("history.event");

    for (String request : List.of("retry", "compensate")) {
      asOperator()
          .post("/sagas/" + order.saga() + "/" + request)
          .then()
          .statusCode(409)
          .contentType("application/problem+json")
          .body("type", equalTo("/problems/saga-refuses"))
          .body("detail", containsString("it has ended as COMPLETED"));
      asOperator().post("/sagas/" + UUID.randomUUID() + "/" + request).then().statusCode(404);
    }
    assertThat(order.<List<String>>saga("history.event")).isEqualTo(before);
    given().get("/problems/saga-refuses").then().body(containsString("Not possible"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/x-www-form-urlencoded", "text/plain"})
  void needsNoBodyWhateverTypeItHas(String type) {
    asOperator()
        .contentType(type)
        .post("/sagas/" + order.saga() + "/retry")
        .then()
        .statusCode(200)
        .body("history.detail", hasItem("by olga"));
  }

  @Test
  void refusesAReasonThatIsNoLineOfText() {
    asOperator()
        .contentType(ContentType.JSON)
        .body("{\"why\": \"two\\nlines\"}")
        .post("/sagas/" + order.saga() + "/retry")
        .then()
        .statusCode(400)
        .body("violations.field", equalTo(List.of("why")));
  }

  @Test
  void showsASagaThatFollowsAnUnknownVersionAndRefusesToMoveIt() throws SQLException {
    sagas.execute("UPDATE saga_instance SET version = 99 WHERE id = '%s'".formatted(order.saga()));

    asOperator().get("/sagas/" + order.saga()).then().body("version", equalTo(99));
    asOperator()
        .post("/sagas/" + order.saga() + "/retry")
        .then()
        .statusCode(409)
        .body("detail", containsString("version 99 of place-order"));
    order.cancel().then().statusCode(503);
    sagas.execute("UPDATE saga_instance SET version = 1 WHERE id = '%s'".formatted(order.saga()));
  }

  /** Its replicas run beside this one during an upgrade. */
  @Test
  void showsASagaOfAnUnknownDefinitionAndRefusesToMoveIt() throws SQLException {
    String where = " WHERE id = '%s'".formatted(order.saga());
    sagas.execute("UPDATE saga_instance SET definition = 'newer'" + where);

    asOperator().get("/sagas/" + order.saga()).then().statusCode(200);
    asOperator()
        .post("/sagas/" + order.saga() + "/retry")
        .then()
        .statusCode(409)
        .body("detail", containsString("version 1 of newer"));

    sagas.execute("UPDATE saga_instance SET definition = 'place-order'" + where);
  }

  private static RequestSpecification asViewer() {
    return given().auth().oauth2(token("vera", "viewer"));
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(token("olga", "operator"));
  }
}
