package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same application, on RabbitMQ's connector. */
class RabbitOnceTest {

  @RegisterExtension static final QuarkusUnitTest APPLICATION = PointsApplication.onRabbitMq();

  @Inject Accounts accounts;

  private String customer = "";
  private Amqp broker;

  @BeforeEach
  void connect() {
    customer = UUID.randomUUID().toString();
    broker = new Amqp();
  }

  @AfterEach
  void close() throws IOException {
    broker.close();
  }

  @Test
  void handlesAMessageOnceHoweverOftenItComes() throws IOException {
    BasicProperties first = keyed(customer + "-1").build();
    for (int i = 0; i < 20; i++) {
      broker.send("orders", first, KafkaOnceTest.order(customer, 500));
    }
    broker.send("orders", keyed(customer + "-2").build(), KafkaOnceTest.order(customer, 200));
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(7));
    await().untilAsserted(() -> assertThat(broker.ready("orders")).isZero());
  }

  @Test
  void parksWhatItCannotReadAndGoesOn() throws IOException {
    int noKey = accounts.parked("orders/award-points", "no-idempotency-key");
    int malformed = accounts.parked("orders/award-points", "malformed");
    broker.send("orders", new BasicProperties(), KafkaOnceTest.order(customer, 100));
    broker.send("orders", keyed(customer + "-3").build(), "no JSON");
    broker.send(
        "orders",
        keyed(customer + "-4").contentType("application/json").build(),
        KafkaOnceTest.order(customer, 300));
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(3));
    assertThat(accounts.parked("orders/award-points", "no-idempotency-key")).isEqualTo(noKey + 1);
    assertThat(accounts.parked("orders/award-points", "malformed")).isEqualTo(malformed + 1);
  }

  @Test
  void givesAMethodTheMessageWithItsHeaders() throws IOException {
    BasicProperties properties =
        new BasicProperties.Builder()
            .messageId(UUID.randomUUID().toString())
            .headers(Map.of("shop", "Berlin"))
            .build();
    for (int i = 0; i < 3; i++) {
      broker.send("returns", properties, KafkaOnceTest.order(customer, 400));
    }
    await().untilAsserted(() -> assertThat(accounts.of(customer + " at Berlin")).isEqualTo(-4));
  }

  /**
   * The tests' broker loses its messages with a restart, so all are sent again. By day the
   * transports' laws stop the broker.
   */
  @Test
  @Tag("nightly")
  void goesOnWhereTheBrokerWasGone() throws IOException {
    for (int i = 0; i < 200; i++) {
      broker.send(
          "orders",
          keyed(customer + "-" + i).deliveryMode(2).build(),
          KafkaOnceTest.order(customer, 100));
    }
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isPositive());
    TestServers.shared().stopBroker();
    TestServers.shared().startBroker();
    broker = new Amqp().declare(PointsApplication.QUEUES);
    for (int i = 0; i < 300; i++) {
      broker.send("orders", keyed(customer + "-" + i).build(), KafkaOnceTest.order(customer, 100));
    }
    await().untilAsserted(() -> assertThat(accounts.of(customer)).isEqualTo(300));
    await().untilAsserted(() -> assertThat(broker.ready("orders")).isZero());
  }

  private static BasicProperties.Builder keyed(String key) {
    return new BasicProperties.Builder()
        .headers(Map.of("x-idempotency-key", key, "x-idempotency-scope", "alice"));
  }
}
