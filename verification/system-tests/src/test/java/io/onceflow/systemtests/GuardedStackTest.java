package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.onceflow.launcher.testing.TestServers;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With the fewest rights on database and broker everything goes on, and nothing else does; what is
 * wrong with a password or a key is said on one line, and heals. Needs containers: only PostgreSQL
 * and RabbitMQ themselves have these rights.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("nightly")
class GuardedStackTest {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String DENIED = "42501";
  private static final String DATABASE =
      "refuses user payments: FATAL: password authentication failed";
  private static final String BROKER = "refuses user shipping-service: wrong name or password";
  private static final String ISSUER = "tokens cannot be checked";
  private static final int UNAVAILABLE = 503;
  private static final int UNAUTHORIZED = 401;
  private static final int OK = 200;

  private GuardedStack stack;

  @BeforeAll
  void start() {
    assumeFalse(Project.isOnKafka(), "is about the rights of users of RabbitMQ");
    assumeTrue(TestServers.shared().inContainers(), "needs PostgreSQL and RabbitMQ in containers");
    stack = new GuardedStack();
    stack.start();
  }

  @AfterAll
  void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void anOrderIsPaidAndShipped() {
    String id =
        as("first")
            .contentType(ContentType.JSON)
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .body(OrderForm.GOOD.json())
            .post(stack.orders().url() + "/orders")
            .then()
            .statusCode(201)
            .extract()
            .path("id");
    await("the order is confirmed")
        .atMost(SOON)
        .until(
            () -> as("first").get(stack.orders().url() + "/orders/" + id).path("status"),
            "CONFIRMED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"orders, payments", "payments, shipping", "shipping, orders"})
  void theServicesUserMayNeitherChangeTablesNorLookElsewhere(String own, String other) {
    List.of(
            "CREATE TABLE public.mine (id int)",
            "CREATE SCHEMA mine",
            "CREATE TEMPORARY TABLE mine (id int)",
            "DROP TABLE outbox_message",
            "ALTER TABLE outbox_message ADD COLUMN mine int",
            "TRUNCATE outbox_message")
        .forEach(sql -> isDenied(own, own, sql));
    isDenied(other, own, "SELECT 1");
    isDenied("postgres", own, "SELECT 1");
  }

  private void isDenied(String database, String user, String sql) {
    assertThatExceptionOfType(SQLException.class)
        .as("%s in %s: %s", user, database, sql)
        .isThrownBy(() -> stack.inDatabase(database, user, sql))
        .extracting(SQLException::getSQLState)
        .isEqualTo(DENIED);
  }

  @FunctionalInterface
  private interface Use {
    void of(Channel channel) throws IOException;
  }

  @Test
  void aParticipantReadsItsOwnMessagesAlone() throws Exception {
    try (Connection payments = stack.brokerAs("payment-service")) {
      String own = "payment-service.commands";
      List<Use> misuses =
          List.of(
              channel -> channel.basicConsume("shipping-service.commands", (tag, m) -> {}, t -> {}),
              channel -> channel.basicConsume("order-service.replies", (tag, m) -> {}, t -> {}),
              channel -> channel.basicGet("order-service.replies", false),
              channel -> channel.queuePurge("shipping-service.commands"),
              channel -> channel.queueDelete("shipping-service.commands"),
              channel -> channel.queueDeclare("mine", false, false, true, null),
              channel -> channel.exchangeDelete("onceflow.commands"),
              channel -> channel.exchangeDeclare("onceflow.commands", "fanout", true),
              channel -> channel.exchangeDeclare("mine", "fanout", false),
              channel -> channel.exchangeBind("onceflow.events", "onceflow.commands", "#"),
              channel -> channel.queueDelete(own),
              channel -> channel.basicGet("shipping-service.dead-letters", false),
              channel -> channel.queueBind(own, "onceflow.commands", "shipping.#"),
              channel -> channel.queueBind(own, "onceflow.commands", "#"),
              channel -> channel.queueBind(own, "onceflow.replies", "order-service.#"),
              channel -> channel.queueBind(own, "onceflow.events", "#"),
              channel -> confirmed(channel, "onceflow.commands", "shipping.arrange"),
              channel -> confirmed(channel, "onceflow.events", "order.confirmed"),
              channel -> confirmed(channel, "onceflow.replies", "elsewhere"),
              channel -> confirmed(channel, "onceflow.replies", "order-service"),
              channel -> confirmed(channel, "onceflow.replies", "order-service.shipping-service"),
              channel -> confirmed(channel, "onceflow.dead-letters", "shipping-service.commands"));
      for (Use misuse : misuses) {
        Channel channel = payments.createChannel();
        assertThatExceptionOfType(Exception.class)
            .as("misuse %d", misuses.indexOf(misuse))
            .isThrownBy(() -> misuse.of(channel));
        assertThat(channel.getCloseReason().getReason().toString()).contains("ACCESS_REFUSED");
      }
    }
  }

  private static void confirmed(Channel channel, String exchange, String key) throws IOException {
    channel.confirmSelect();
    channel.basicPublish(exchange, key, null, new byte[0]);
    try {
      channel.waitForConfirmsOrDie();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The broker counts no delivery against a message: the service stores one that came so often, and
   * tries it a few times from there.
   */
  @Test
  void aMessageThatWasDeliveredTooOftenIsTriedFromWhereItIsParked() throws Exception {
    String id = UUID.randomUUID().toString();
    stack.payments().stop();
    try (Connection payments = stack.brokerAs("payment-service");
        Connection administrator = stack.brokerAs(GuardedStack.ADMINISTRATOR)) {
      Channel sending = administrator.createChannel();
      sending.basicPublish(
          "onceflow.commands",
          "payment.process",
          new AMQP.BasicProperties.Builder().messageId(id).type("ProcessPayment").build(),
          "{}".getBytes(StandardCharsets.UTF_8));
      Channel failing = payments.createChannel();
      for (int i = 0; i < 25; i++) {
        await("delivery %d".formatted(i + 1))
            .atMost(SOON)
            .until(() -> givenBack(failing, "payment-service.commands"));
      }
    } finally {
      stack.payments().start();
    }
    stack.payments().awaitReady();
    await("it is parked")
        .atMost(SOON)
        .until(
            () ->
                stack.read(
                    "payments",
                    "SELECT reason || ' ' || attempts || ' ' || (headers ? 'x-delivery-count') FROM parked_message WHERE message_id = '"
                        + id
                        + "'"),
            "no-idempotency-key 2 true"::equals);
  }

  /** Whose limits of length and time drop messages, and nothing of it shows in the services. */
  @Test
  void aForeignPolicyIsFoundByTheCheckOfTheDefinitions() {
    stack.checkDefinitions();
    try {
      stack.inBroker(
          "rabbitmqctl",
          "set_policy",
          "--priority",
          "5",
          "foreign",
          "payment-service[.]commands",
          "{\"message-ttl\":60000}");
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(stack::checkDefinitions)
          .withMessageContaining("queue payment-service.commands is under policy \"foreign\"")
          .withMessageContaining("message-ttl 60000");
    } finally {
      stack.inBroker("rabbitmqctl", "clear_policy", "foreign");
    }
    stack.checkDefinitions();
  }

  /** Takes the message and fails; false while there is none. */
  private static boolean givenBack(Channel channel, String queue) throws IOException {
    GetResponse message = channel.basicGet(queue, false);
    if (message != null) {
      channel.basicNack(message.getEnvelope().getDeliveryTag(), false, true);
    }
    return message != null;
  }

  @Test
  void aServiceWhoseQueueIsMissingSaysSoAndHeals() {
    ServiceProcess shipping = stack.shipping();
    shipping.stop();
    int before = shipping.written().size();
    stack.inBroker("rabbitmqctl", "delete_queue", "shipping-service.commands");
    try {
      shipping.start();
      awaitUnready(shipping, before, "broker", "no queue 'shipping-service.commands'");
    } finally {
      stack.importDefinitions();
    }
    shipping.awaitReady();
  }

  @Test
  void keysAreReplacedWhileTheServicesRun() {
    assertThat(looks("first")).isEqualTo(OK);
    stack.issuer().publish("second");
    // At once, unless the keys had just been asked for: then when they may be asked for again.
    await("the new key is known").atMost(SOON).until(() -> looks("second"), status -> status == OK);
    assertThat(looks("first")).isEqualTo(OK);
    stack.issuer().withdraw("first");
    try {
      await("the old key is trusted no more")
          .atMost(SOON)
          .until(() -> looks("first"), status -> status == UNAUTHORIZED);
      assertThat(looks("second")).isEqualTo(OK);
    } finally {
      stack.issuer().publish("first");
    }
    await("it is trusted again").atMost(SOON).until(() -> looks("first"), status -> status == OK);
  }

  @Test
  void aWrongPasswordOfTheDatabaseIsSaidAndHeals() throws Exception {
    ServiceProcess payments = stack.payments();
    payments.stop();
    int before = payments.written().size();
    setPassword("payments", "another");
    try {
      payments.start();
      awaitUnready(payments, before, "database", DATABASE);
      assertThat(given().get(payments.managementUrl() + "/q/health/live").statusCode())
          .isEqualTo(OK);
    } finally {
      setPassword("payments", GuardedStack.password("payments"));
    }
    payments.awaitReady();
    isSaidOnce(payments, before, DATABASE);
  }

  @Test
  void aWrongPasswordOfTheBrokerIsSaidAndHeals() {
    ServiceProcess shipping = stack.shipping();
    shipping.stop();
    int before = shipping.written().size();
    stack.inBroker("rabbitmqctl", "change_password", "shipping-service", "another");
    try {
      shipping.start();
      awaitUnready(shipping, before, "broker", BROKER);
    } finally {
      String right = GuardedStack.password("shipping-service");
      stack.inBroker("rabbitmqctl", "change_password", "shipping-service", right);
    }
    shipping.awaitReady();
    isSaidOnce(shipping, before, BROKER);
  }

  @Test
  void anIssuerWithoutKeysIsSaidAndHeals() {
    ServiceProcess shipping = stack.shipping();
    shipping.stop();
    int before = shipping.written().size();
    stack.issuer().setBroken(true);
    try {
      shipping.start();
      awaitUnready(shipping, before, "issuer-key", ISSUER);
    } finally {
      stack.issuer().setBroken(false);
    }
    shipping.awaitReady();
    isSaidOnce(shipping, before, ISSUER);
    String shipments = shipping.url() + "/shipments?orderId=" + UUID.randomUUID();
    assertThat(as("first").get(shipments).statusCode()).isEqualTo(OK);
  }

  private void setPassword(String user, String password) throws SQLException {
    stack.inDatabase(
        "postgres",
        GuardedStack.ADMINISTRATOR,
        "ALTER ROLE %s PASSWORD '%s'".formatted(user, password));
  }

  /** Until it has said why, and answers that it is not ready for this one reason. */
  private static void awaitUnready(ServiceProcess service, int from, String check, String why) {
    await(service + " says what is wrong")
        .atMost(SOON)
        .until(() -> fresh(service, from).stream().anyMatch(line -> line.contains(why)));
    await(service + " is not ready for its " + check)
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () -> given().get(service.managementUrl() + "/q/health/ready"),
            answer -> answer.statusCode() == UNAVAILABLE && isDown(answer, check));
  }

  private static boolean isDown(Response ready, String only) {
    return ready
        .jsonPath()
        .getList("checks.findAll { it.status == 'DOWN' }.name")
        .equals(List.of(only));
  }

  private static List<String> fresh(ServiceProcess service, int from) {
    List<String> written = service.written();
    return written.subList(from, written.size());
  }

  /** One line without a stack trace: an operator reads what is wrong, not where in the code. */
  private static void isSaidOnce(ServiceProcess service, int from, String what) {
    List<String> fresh = fresh(service, from);
    assertThat(fresh).filteredOn(line -> line.contains(what)).hasSize(1);
    assertThat(fresh)
        .noneMatch(line -> line.startsWith("\tat "))
        .filteredOn(line -> line.contains(" ERROR ") || line.contains(" WARN "))
        .hasSize(1);
  }

  private int looks(String kid) {
    Response answer = as(kid).get(stack.orders().url() + "/orders");
    return answer.statusCode();
  }

  private RequestSpecification as(String kid) {
    return given().auth().oauth2(stack.issuer().token(kid, "alice"));
  }
}
