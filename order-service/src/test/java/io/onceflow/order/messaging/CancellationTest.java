package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders that are cancelled at every moment of their sagas; the other services are played. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class CancellationTest {

  @Inject BrokerConnection broker;

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
  void waitsForTheChargeThatIsUnderWayAndGivesItBack() throws IOException {
    assertThat(order.cancel().then().statusCode(202).extract().<String>path("outcome"))
        .isEqualTo("compensating");
    assertThat(order.<String>read("status")).isEqualTo("PENDING");

    order.paymentProcessed(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);

    order.awaitStatus("CANCELLED");
    assertThat(order.<String>read("cancellationReason")).isEqualTo("CANCELLED_BY_CUSTOMER");
    assertThat(order.<String>read("payment.status")).isEqualTo("REFUNDED");
    assertThat(order.<List<String>>saga("history.event")).contains("cancel-requested");
    assertThat(order.<List<String>>saga("history.detail")).contains("by " + customer);
  }

  @Test
  void undoesTheBookingBeforeTheCharge() throws IOException {
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");

    order.cancel().then().statusCode(202).body("outcome", equalTo("compensating"));
    order.shipmentArranged(channel);
    order.awaitStep("arrange-shipment", "COMPENSATING");
    order.shipmentCancelled(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);

    order.awaitStatus("CANCELLED");
  }

  @Test
  void saysCancelledOnceEverythingIsUndone() throws IOException {
    order.cancel();
    order.paymentProcessed(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);
    order.awaitStatus("CANCELLED");

    order.cancel().then().statusCode(202).body("outcome", equalTo("cancelled"));
  }

  @Test
  void isTooLateOnceTheOrderIsConfirmed() throws IOException {
    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");
    order.shipmentArranged(channel);
    order.awaitStatus("CONFIRMED");

    Response refused = order.cancel();

    refused
        .then()
        .statusCode(409)
        .contentType("application/problem+json")
        .header("Link", equalTo("</problems/too-late>; rel=\"describedby\""))
        .body("type", equalTo("/problems/too-late"))
        .body("detail", containsString(order.id()))
        .body("instance", equalTo("/orders/" + order.id() + "/cancellation"));
    assertThat(order.<String>read("status")).isEqualTo("CONFIRMED");
    given()
        .get(refused.<String>path("type"))
        .then()
        .statusCode(200)
        .body(containsString("too late to cancel"));
  }

  @Test
  void answersARepeatWithTheFirstAnswerAndAsksTheSagaOnce() {
    String key = UUID.randomUUID().toString();
    Response first = order.cancel(customer, key);
    Response again = order.cancel(customer, key);

    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(order.<List<String>>saga("history.event")).containsOnlyOnce("cancel-requested");
  }

  @Test
  void needsAKey() {
    given()
        .auth()
        .oauth2(token(customer))
        .post("/orders/" + order.id() + "/cancellation")
        .then()
        .statusCode(400)
        .body("type", equalTo("/problems/idempotency-key-missing"));
  }

  @Test
  void cancelsNobodyElsesOrder() {
    order.cancel("somebody-else", UUID.randomUUID().toString()).then().statusCode(404);

    assertThat(order.<String>saga("status")).isEqualTo("RUNNING");
  }
}
