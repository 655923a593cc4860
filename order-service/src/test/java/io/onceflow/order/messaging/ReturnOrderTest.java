package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An order is given back, with the other services played by the test. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class ReturnOrderTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final String customer = "customer-" + UUID.randomUUID();
  private final String orderKey = UUID.randomUUID().toString();
  private final String returnKey = UUID.randomUUID().toString();

  @Inject BrokerConnection broker;
  @Inject DataSource database;

  private OtherServices others;
  private String order;

  @BeforeEach
  void placeAnOrder() throws IOException {
    others = new OtherServices(broker, customer);
    order =
        as(customer)
            .contentType(ContentType.JSON)
            .header("Idempotency-Key", orderKey)
            .body(
                """
                {"currency": "EUR",
                 "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}],
                 "paymentMethod": "pm_card_visa",
                 "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
                   "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
                """)
            .post("/orders")
            .path("id");
  }

  @AfterEach
  void hangUp() throws IOException {
    others.close();
  }

  @Test
  void takesAConfirmedOrderBack() throws IOException {
    confirm();

    Response asked = giveBack(returnKey);
    asked
        .then()
        .statusCode(202)
        .header("Location", equalTo("/orders/" + order + "/return"))
        .body("orderId", equalTo(order))
        .body("status", equalTo("REQUESTED"));
    assertThat(this.<List<String>>shown("saga.steps.name"))
        .containsExactly("arrange-return", "accept-return", "return-payment", "complete-return");
    assertThat(this.<String>shown("saga.steps[0].idempotencyKey"))
        .isEqualTo(returnKey + ":arrange-return");

    reply("ReturnArranged", arranged(asked.path("id")));
    awaitReturn("ACCEPTED");
    assertThat(this.<String>shown("trackingNumber")).isEqualTo("SIM-2");
    assertThat(this.<String>orderView("status")).isEqualTo("CONFIRMED");

    reply("PaymentReturned", paymentReturned());
    awaitReturn("COMPLETED");
    assertThat(this.<Integer>shown("refundedAmount")).isEqualTo(2500);
    assertThat(this.<String>shown("saga.status")).isEqualTo("COMPLETED");
    assertThat(this.<String>orderView("status")).isEqualTo("RETURNED");
    assertThat(this.<String>orderView("payment.status")).isEqualTo("REFUNDED");
    giveBack(newKey())
        .then()
        .statusCode(409)
        .body("type", equalTo("/problems/order-not-confirmed"));
  }

  @Test
  void leavesTheOrderConfirmedWhenTheCarrierWillNotFetchItAndLetsTheCustomerTryAgain()
      throws IOException {
    confirm();
    String first = giveBack(returnKey).path("id");

    reply(
        "ReturnRejected",
        "{\"returnId\": \"%s\", \"orderId\": \"%s\", \"reason\": \"RETURNS_NOT_SERVED\"}"
            .formatted(first, order));
    awaitReturn("REJECTED");

    assertThat(this.<String>shown("rejectionReason")).isEqualTo("RETURN_REJECTED");
    assertThat(this.<String>shown("saga.status")).isEqualTo("COMPENSATED");
    assertThat(this.<String>orderView("status")).isEqualTo("CONFIRMED");
    assertThat(this.<String>orderView("payment.status")).isEqualTo("PROCESSED");
    giveBack(newKey()).then().statusCode(202);
    assertThat(this.<String>shown("id")).isNotEqualTo(first);
    assertThat(this.<String>shown("status")).isEqualTo("REQUESTED");
  }

  @Test
  void takesNothingBackThatIsNotConfirmed() throws SQLException {
    giveBack(returnKey)
        .then()
        .statusCode(409)
        .contentType("application/problem+json")
        .body("type", equalTo("/problems/order-not-confirmed"));
    given().get("/problems/order-not-confirmed").then().statusCode(200);
    given().get("/problems/return-under-way").then().statusCode(200);

    assertThat(count("order_return r JOIN orders o ON o.id = r.order_id WHERE o.customer = ?"))
        .isZero();
    assertThat(count("saga_instance WHERE scope = ? AND definition = 'return-order'")).isZero();
  }

  @Test
  void takesAnOrderBackOnceHoweverManyAskAtOnce() throws Exception {
    confirm();

    List<Response> answers = atOnce(8);

    assertThat(answers).filteredOn(answer -> answer.statusCode() == 202).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 409)
        .hasSize(7)
        .extracting(answer -> answer.path("type"))
        .containsOnly("/problems/return-under-way");
    assertThat(count("saga_instance WHERE scope = ? AND definition = 'return-order'")).isOne();
  }

  @Test
  void answersARepeatWithTheFirstAnswer() throws IOException {
    confirm();
    Response first = giveBack(returnKey);
    Response again = giveBack(returnKey);

    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void showsNobodyAnothersReturn() throws IOException {
    as(customer).get("/orders/" + order + "/return").then().statusCode(404);
    confirm();
    giveBack(returnKey);

    as("somebody-else").get("/orders/" + order + "/return").then().statusCode(404);
    as("somebody-else")
        .header("Idempotency-Key", newKey())
        .post("/orders/" + order + "/return")
        .then()
        .statusCode(404);
  }

  @Test
  void asksTheCarrierAgainWhenNobodyAnswers() throws IOException, SQLException {
    confirm();
    giveBack(returnKey);

    change(SagaRow.MAKE_DUE + "WHERE id = ?::uuid", shown("saga.id"));

    await().atMost(SOON).until(() -> this.<Integer>shown("saga.steps[0].attempts") == 2);
  }

  @Test
  void parksAnAnswerToTheOtherKindOfSaga() throws IOException {
    confirm();
    giveBack(returnKey);

    others.reply(
        "ShipmentCancelled", "{\"orderId\": \"%s\"}".formatted(order), returnSaga(), returnKey);

    await()
        .atMost(SOON)
        .until(
            () ->
                count(
                        "parked_message WHERE headers ->> 'x-idempotency-scope' = ?"
                            + " AND reason = 'reply-mismatch'")
                    == 1);
    assertThat(this.<String>shown("status")).isEqualTo("REQUESTED");
  }

  private void confirm() throws IOException {
    String saga = as(customer).get("/orders/" + order + "/saga").path("id");
    others.goAlongWith(order, saga, orderKey);
    await().atMost(SOON).until(() -> "CONFIRMED".equals(this.<String>orderView("status")));
  }

  private String arranged(String returnId) {
    return """
    {"returnId": "%s", "orderId": "%s", "shipmentId": "0199c3a4-9050-7a44-9f77-85d4e3fc0605",
     "trackingNumber": "SIM-2"}
    """
        .formatted(returnId, order);
  }

  private String paymentReturned() {
    return "{\"orderId\": \"%s\", \"amount\": 2500}".formatted(order);
  }

  private void reply(String type, String payload) throws IOException {
    others.reply(type, payload, returnSaga(), returnKey);
  }

  private String returnSaga() {
    return shown("saga.id");
  }

  private List<Response> atOnce(int times) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(times)) {
      List<Response> answers = new ArrayList<>();
      Callable<Response> ask = () -> giveBack(newKey());
      for (Future<Response> answer : pool.invokeAll(Collections.nCopies(times, ask))) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  private Response giveBack(String key) {
    return as(customer).header("Idempotency-Key", key).post("/orders/" + order + "/return");
  }

  private void awaitReturn(String status) {
    await().atMost(SOON).until(() -> status.equals(this.<String>shown("status")));
  }

  private <T> T shown(String path) {
    return as(customer).get("/orders/" + order + "/return").path(path);
  }

  private <T> T orderView(String path) {
    return as(customer).get("/orders/" + order).path(path);
  }

  private static RequestSpecification as(String user) {
    return given().auth().oauth2(token(user));
  }

  private static String newKey() {
    return UUID.randomUUID().toString();
  }

  private void change(String statement, String parameter) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement change = connection.prepareStatement(statement)) {
      change.setString(1, parameter);
      change.executeUpdate();
    }
  }

  private long count(String ofCustomer) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count =
            connection.prepareStatement("SELECT count(*) FROM " + ofCustomer)) {
      count.setString(1, customer);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
