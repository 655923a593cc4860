package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.saga.internal.retention.SagaCleanup;
import io.onceflow.saga.internal.store.OlderSaga;
import io.onceflow.sql.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders whose sagas ended three months ago and were deleted; other services are played. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class DeletedSagaTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject BrokerConnection broker;
  @Inject DataSource database;
  @Inject SagaCleanup cleanup;

  private final String customer = "customer-" + UUID.randomUUID();
  private Channel channel;
  private PlayedOrder order;

  @BeforeEach
  void placeAnOrder() throws IOException {
    channel = broker.openChannel();
    order = PlayedOrder.place(customer);
  }

  @AfterEach
  void close() throws Exception {
    channel.close();
  }

  @Test
  void answersThatItWasDeletedAndShowsTheOrder() throws Exception {
    confirm();
    String saga = deleteSaga(order.saga());

    as(customer)
        .get("/orders/" + order.id() + "/saga")
        .then()
        .statusCode(404)
        .contentType("application/problem+json")
        .body("detail", containsString("was deleted after its retention. The order is CONFIRMED."));
    as(customer).get("/orders/" + order.id()).then().statusCode(200);
    asOperator()
        .get("/sagas/" + saga)
        .then()
        .statusCode(404)
        .body("detail", containsString("deleted after its retention"));
    asOperator().post("/sagas/" + saga + "/retry").then().statusCode(404);
    as(customer)
        .get("/idempotency-keys/" + order.key())
        .then()
        .statusCode(200)
        .body("status", equalTo("COMPLETED"));
  }

  @Test
  void isTooLateToCancelOnceTheOrderWasConfirmed() throws Exception {
    confirm();
    deleteSaga(order.saga());

    order.cancel().then().statusCode(409).body("type", equalTo("/problems/too-late"));
  }

  @Test
  void saysCancelledOfAnOrderThatWasCancelled() throws Exception {
    order.cancel();
    order.paymentProcessed(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);
    order.awaitStatus("CANCELLED");
    deleteSaga(order.saga());

    order.cancel().then().statusCode(202).body("outcome", equalTo("cancelled"));
  }

  @Test
  void doesNotKeepTheOrderFromBeingReturned() throws Exception {
    confirm();
    deleteSaga(order.saga());
    String returnKey = UUID.randomUUID().toString();
    String id = giveBack(returnKey).then().statusCode(202).extract().path("id");

    try (OtherServices others = new OtherServices(broker, customer)) {
      others.reply(
          "ReturnRejected",
          "{\"returnId\": \"%s\", \"orderId\": \"%s\", \"reason\": \"RETURNS_NOT_SERVED\"}"
              .formatted(id, order.id()),
          shownReturn().path("saga.id"),
          returnKey);
      await().atMost(SOON).until(() -> "REJECTED".equals(shownReturn().path("status")));
    }
    deleteSaga(shownReturn().path("saga.id"));

    shownReturn()
        .then()
        .statusCode(200)
        .body("status", equalTo("REJECTED"))
        .body("saga", nullValue());
  }

  /** Seen red without {@code saga_root_key}: payment-service would have answered for the first. */
  @Test
  void leavesItsKeyUsedSoThatAnOrderUnderTheSameKeyIsPaidByItself() throws Exception {
    confirm();
    deleteSaga(order.saga());
    execute(
        "UPDATE idempotency_record SET expires_at = now() - interval '1 s' WHERE key = ?",
        order.key());

    PlayedOrder second = PlayedOrder.place(customer, order.key());

    assertThat(second.id()).isNotEqualTo(order.id());
    assertThat(second.<String>saga("steps[0].idempotencyKey"))
        .isEqualTo(order.key() + "~" + second.saga() + ":process-payment");
  }

  /** The queue is taken in order: what comes later is parked, so this one was taken. */
  @Test
  void takesALateReplyForOneToASagaThatHasEnded() throws Exception {
    confirm();
    PlayedOrder deleted =
        new PlayedOrder(order.id(), deleteSaga(order.saga()), customer, order.key());
    PlayedOrder none =
        new PlayedOrder(order.id(), UUID.randomUUID().toString(), customer, "another-key");

    deleted.shipmentArranged(channel);
    none.shipmentArranged(channel);

    await().atMost(SOON).until(() -> parked(none.saga()) == 1);
    assertThat(parked(deleted.saga())).isZero();
  }

  private void confirm() throws IOException {
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");
    order.shipmentArranged(channel);
    order.awaitStatus("CONFIRMED");
  }

  /** Lets its retention pass; returns the id that it had at last. */
  private String deleteSaga(String saga) throws SQLException {
    UUID older;
    try (Connection connection = database.getConnection()) {
      older = OlderSaga.make(connection, UUID.fromString(saga), "91 days");
    }
    cleanup.deleteExpired();
    // Another transaction of the background may have it in hand.
    await().atMost(SOON).until(() -> count("saga_instance WHERE id = ?::uuid", older) == 0);
    return older.toString();
  }

  private Response giveBack(String key) {
    return as(customer).header("Idempotency-Key", key).post("/orders/" + order.id() + "/return");
  }

  private Response shownReturn() {
    return as(customer).get("/orders/" + order.id() + "/return");
  }

  private long parked(String saga) throws SQLException {
    return count("parked_message WHERE correlation_id = ?", saga);
  }

  private long count(String rows, Object parameter) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
              connection,
              "SELECT count(*) AS rows FROM " + rows,
              row -> row.bigint("rows"),
              parameter.toString())
          .getFirst();
    }
  }

  private void execute(String update, String parameter) throws SQLException {
    try (Connection connection = database.getConnection()) {
      assertThat(Sql.update(connection, update, parameter)).isEqualTo(1);
    }
  }

  private static RequestSpecification as(String user) {
    return given().auth().oauth2(token(user));
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(token("olga", "operator"));
  }
}
