package io.onceflow.payment.gateway;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.stripe.net.Webhook;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripeCharge;
import io.onceflow.stripe.StripePayments;
import io.onceflow.stripedouble.StripeDouble;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events of Stripe's, as they come in over HTTP. */
@QuarkusTest
@TestProfile(StripeWebhookTest.WithSecrets.class)
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class StripeWebhookTest {

  private static final String SECRET = "whsec_new";
  private static final String EARLIER = "whsec_old";
  private static final String PATH = "/webhooks/stripe";

  public static final class WithSecrets implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.gateway",
          "stripe",
          "onceflow.stripe.api-key",
          "sk_test_double",
          "onceflow.stripe.url",
          "http://localhost:" + FreePorts.next(),
          "onceflow.stripe.webhook-secrets",
          SECRET + ", " + EARLIER + "\n"); // as people separate words, and as files end
    }
  }

  @TestHTTPResource(PATH)
  URI webhook;

  @TestHTTPResource(value = "/metrics", management = true)
  URI metrics;

  @Inject DataSource database;
  @Inject StripePayments stripe;

  @ConfigProperty(name = "onceflow.stripe.url")
  URI doubleUrl;

  private final String id = "evt_" + UUID.randomUUID();
  private final String intent = "pi_" + UUID.randomUUID();

  @Test
  void keepsAnEventOnce() throws Exception {
    String event = event("payment_intent.succeeded");
    send(event, SECRET, Instant.now()).statusCode(204);
    send(event, SECRET, Instant.now()).statusCode(204);
    send(event, EARLIER, Instant.now()).statusCode(204);

    assertThat(kept(id)).containsExactly("payment_intent.succeeded " + intent + " false");
    given()
        .get(metrics)
        .then()
        .body(
            containsString(
                "onceflow_stripe_events_total{known=\"false\",type=\"payment_intent.succeeded\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stripe_request",
        "stripe_event",
        "reconciliation_run",
        "reconciliation_difference"
      })
  void collectsOldRows(String table) {
    given()
        .get(metrics)
        .then()
        .body(containsString("onceflow_garbage_backlog{table=\"%s\"".formatted(table)));
  }

  @Test
  void refusesWhatStripeDidNotSign() throws Exception {
    String event = event("payment_intent.succeeded");

    problem(send(event, "whsec_other", Instant.now()));
    problem(send(event, SECRET, Instant.now().minusSeconds(600)));
    problem(given().contentType("application/json").body(event).post(PATH).then());
    String signature = Webhook.Signature.generateSignatureHeader(event, SECRET);
    problem(
        given()
            .contentType("application/json")
            .header("Stripe-Signature", signature)
            .body(event.replace("succeeded", "canceled"))
            .post(PATH)
            .then());
    assertThat(kept(id)).isEmpty();
  }

  /** While a secret is rolled, Stripe signs with both. */
  @Test
  void takesAnyOfSeveralSignatures() throws Exception {
    String event = event("payment_intent.succeeded");
    long now = Instant.now().getEpochSecond();
    String one = Webhook.Signature.generateSignatureHeader(event, "whsec_other", now);
    String two = Webhook.Signature.generateSignatureHeader(event, SECRET, now);
    String both = one + two.substring(two.indexOf(",v1="));

    sendSigned(event, both).statusCode(204);
    assertThat(kept(id)).hasSize(1);
    problem(sendSigned(event.replace("succeeded", "canceled"), both));
  }

  @Test
  void refusesABodyThatIsNoEventsSize() throws Exception {
    String event = event("payment_intent.succeeded").replace("}}}", "}}," + padding() + "}");

    send(event, SECRET, Instant.now()).statusCode(413).contentType("application/problem+json");
    assertThat(kept(id)).isEmpty();
  }

  @Test
  void countsTheBytesOfABody() throws Exception {
    send("\u20ac".repeat(100 * 1024), SECRET, Instant.now()).statusCode(413);
  }

  private static String padding() {
    return "\"padding\": \"%s\"".formatted("x".repeat(300 * 1024));
  }

  /** Events about one payment come in any order: each is kept, and none decides anything. */
  @Test
  void keepsLaterEventsThatComeFirst() throws Exception {
    for (String type :
        List.of(
            "payment_intent.succeeded", "payment_intent.processing", "charge.dispute.created")) {
      String other = "evt_" + UUID.randomUUID();
      send(event(type).replace(id, other), SECRET, Instant.now()).statusCode(204);
      assertThat(kept(other)).containsExactly(type + " " + intent + " false");
    }
  }

  /** Stripe disables endpoints that refuse what it has signed. */
  @Test
  void acknowledgesWhatIsSignedAndNoEventThatItKeeps() throws Exception {
    for (String body : List.of("[]", "{}", "no JSON", "{\"id\": 5, \"type\": \"a\"}")) {
      send(body, SECRET, Instant.now()).statusCode(204);
    }
  }

  @Test
  void knowsAPaymentWhoseEventsComeTwiceAndBeforeTheAnswer() throws Exception {
    CallKey key =
        new CallKey(
            "alice",
            new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
    StripeDouble.Webhooks webhooks = new StripeDouble.Webhooks(webhook.toString(), SECRET, 2, true);
    try (StripeDouble stripeDouble = StripeDouble.start(doubleUrl.getPort(), webhooks)) {
      String order = OutboxMessage.newId().toString();

      stripe.charge(key, new StripeCharge(2500, "EUR", "pm_card_visa", order, false));

      String charged =
          String.valueOf(stripeDouble.intents("onceflow_key", key.value()).get(0).get("id"));
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(keptAbout(charged))
                      .containsExactly("payment_intent.succeeded " + charged + " true"));
      stripe.annul(key, key.sibling("refund-payment"), order);
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(keptAbout(charged)).hasSize(2).allMatch(it -> it.endsWith(" true")));
    }
  }

  /** The saga has ended, the order is cancelled and its payment REFUNDED when the bank refuses. */
  @Test
  void showsARefundThatFailsLongAfterItWasMadeUntilItIsMadeAgain() throws Exception {
    CallKey key =
        new CallKey(
            "alice",
            new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
    UUID order = OutboxMessage.newId();
    StripeDouble.Webhooks webhooks = new StripeDouble.Webhooks(webhook.toString(), SECRET, 2, true);
    try (StripeDouble stripeDouble = StripeDouble.start(doubleUrl.getPort(), webhooks)) {
      stripe.charge(key, new StripeCharge(2500, "EUR", "pm_card_visa", order.toString(), false));
      String charge =
          String.valueOf(stripeDouble.intents("onceflow_key", key.value()).get(0).get("id"));
      CallKey refund = PaymentGateway.refundOf(key);
      stripe.refund(refund, order.toString(), charge);
      refunded(order, key, charge);
      payments(order, "operator").body("[0].refundFailure", nullValue());

      stripeDouble
          .parties()
          .failRefund(String.valueOf(stripeDouble.refunds(charge).get(0).get("id")));

      Awaitility.await()
          .untilAsserted(
              () ->
                  payments(order, "operator")
                      .body("[0].refundFailure", equalTo("expired_or_canceled_card")));
      payments(order).body("[0].refundFailure", nullValue());
      as("olga", "operator")
          .queryParam("reference", order)
          .get("/stripe/refunds")
          .then()
          .body("[0].key", equalTo(refund.value()));
      as("olga", "operator")
          .contentType("application/json")
          .body("{\"reason\": \"the card is valid again\"}")
          .post("/stripe/refunds/" + refund.value() + "/retry")
          .then()
          .statusCode(200)
          .body("failure", nullValue());
      payments(order, "operator").body("[0].refundFailure", nullValue());
      assertThat(stripeDouble.refunds(charge))
          .extracting("status")
          .containsExactly("failed", "succeeded");
    }
  }

  private void refunded(UUID order, CallKey key, String charge) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(
          connection,
          """
          INSERT INTO payment (id, order_id, scope, step_key, status, amount, currency,
                               gateway_reference, processed_at, refunded_at)
          VALUES (?, ?, ?, ?, 'REFUNDED', 2500, 'EUR', ?, now(), now())
          """,
          OutboxMessage.newId(),
          order,
          key.scope(),
          key.stepKey(),
          charge);
    }
  }

  private static ValidatableResponse payments(UUID order, String... roles) {
    return as("alice", roles).queryParam("orderId", order).get("/payments").then().statusCode(200);
  }

  private static RequestSpecification as(String name, String... roles) {
    return given().auth().oauth2(token(name, roles));
  }

  private static void problem(ValidatableResponse response) {
    response.statusCode(400).contentType("application/problem+json").body("status", equalTo(400));
  }

  private ValidatableResponse send(String body, String secret, Instant at) throws Exception {
    return sendSigned(
        body, Webhook.Signature.generateSignatureHeader(body, secret, at.getEpochSecond()));
  }

  private static ValidatableResponse sendSigned(String body, String signature) {
    return given()
        .contentType("application/json")
        .header("Stripe-Signature", signature)
        .body(body)
        .post(PATH)
        .then();
  }

  private String event(String type) {
    return """
    {"id": "%s", "object": "event", "type": "%s", "created": 1767322800,
     "data": {"object": {"id": "%s", "object": "payment_intent", "status": "succeeded",
       "metadata": {"onceflow_key": "of others"}}}}
    """
        .formatted(id, type, intent);
  }

  private List<String> kept(String event) throws SQLException {
    return rows("SELECT type, object_id, known FROM stripe_event WHERE id = ?", event);
  }

  private List<String> keptAbout(String of) throws SQLException {
    return rows(
        "SELECT type, intent_id, known FROM stripe_event WHERE intent_id = ? ORDER BY received_at",
        of);
  }

  private List<String> rows(String sql, String parameter) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, parameter);
      try (ResultSet rows = select.executeQuery()) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
          found.add("%s %s %s".formatted(rows.getString(1), rows.getString(2), rows.getBoolean(3)));
        }
        return found;
      }
    }
  }
}
