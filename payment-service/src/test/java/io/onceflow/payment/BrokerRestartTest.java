package io.onceflow.payment;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Delivery;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.OutboxMessage;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
@Tag("nightly")
class BrokerRestartTest {

  @TestHTTPResource(value = "/health/ready", management = true)
  URI ready;

  @TestHTTPResource(value = "/health/live", management = true)
  URI live;

  @Test
  void goesOnByItselfWhenTheBrokerIsBack() throws Exception {
    TestServers servers = TestServers.shared();
    askForAPayment();

    servers.stopBroker();
    try {
      given().get(ready).then().statusCode(200);
      given().get(live).then().statusCode(200);
    } finally {
      servers.startBroker();
    }

    askForAPayment();
    takeAFlood();
  }

  /**
   * After a reconnect the connector's client hands messages on without being asked for them; a
   * flood must not drown the stream, which would end for good.
   */
  private static void takeAFlood() throws Exception {
    try (OrderServiceStandIn orders = OrderServiceStandIn.connect()) {
      TestCommand command = TestCommand.processPayment(OutboxMessage.newId(), "pm_card_visa");
      orders.ask(command);

      orders.flood(command, 2_000);

      orders.awaitAnswers(2_000, command);
    }
  }

  private static void askForAPayment() throws Exception {
    try (OrderServiceStandIn orders = OrderServiceStandIn.connect()) {
      Delivery answer =
          orders.ask(TestCommand.processPayment(OutboxMessage.newId(), "pm_card_visa"));
      assertThat(answer.getProperties().getType()).isEqualTo("PaymentProcessed");
    }
  }
}
