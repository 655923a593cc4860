package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.stripedouble.StripeDouble.Webhooks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Orders that are paid by Stripe: at its double, or in Stripe's test mode where {@code
 * STRIPE_API_KEY} names a key of it. What Stripe itself cannot be made to do is for the double.
 */
@SystemTest
@Tag("nightly")
class StripeStoriesTest {

  /** Counts them, for the alert about a refused key. */
  static final String REQUESTS = "onceflow_stripe_requests_total";

  private static final Stack STACK = Stack.get();
  private static final String SECRET = "whsec_tests";
  private static final String TEST_KEY = System.getenv().getOrDefault("STRIPE_API_KEY", "");
  private static final boolean IS_DOUBLE = TEST_KEY.isEmpty();

  private static StripeDouble stripe;

  private final Customer customer = STACK.newCustomer();

  @BeforeAll
  static void payByStripe() {
    stripe =
        StripeDouble.start(
            0, new Webhooks(STACK.payments().url() + "/webhooks/stripe", SECRET, 2, true));
    Map<String, String> settings = new HashMap<>();
    settings.put("ONCEFLOW_GATEWAY", "stripe");
    settings.put("ONCEFLOW_STRIPE_API_KEY", IS_DOUBLE ? "sk_test_double" : TEST_KEY);
    settings.put("ONCEFLOW_STRIPE_WEBHOOK_SECRETS", SECRET);
    if (IS_DOUBLE) {
      settings.put("ONCEFLOW_STRIPE_URL", stripe.url());
    }
    startWith(settings);
  }

  @AfterEach
  void mend() {
    stripe.faults().none();
    STACK.heal();
  }

  @AfterAll
  static void payByTheSimulationAgain() {
    startWith(Map.of());
    stripe.close();
  }

  private static void startWith(Map<String, String> settings) {
    STACK.payments().stop();
    STACK.payments().configure(settings);
    STACK.heal();
  }

  @Test
  void anOrderIsPaidOnce() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();

    assertThat(order.read().getString("payment.status")).isEqualTo("PROCESSED");
    assertThat(customer.payments(order.id()))
        .singleElement()
        .satisfies(
            payment -> assertThat(payment.get("gatewayReference").toString()).startsWith("pi_"));
    expectCharges(order, 1, 0);
    assertThat(Metrics.names(STACK.payments())).contains(REQUESTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_card_chargeDeclined", "pm_card_chargeDeclinedInsufficientFunds"})
  void aDeclinedOrderIsCancelled(String paymentMethod) {
    Order order = customer.places(OrderForm.GOOD.paidBy(paymentMethod));

    awaitStatus(order, "CANCELLED");
    expectCharges(order, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_authenticationRequired, requires_action, true",
    "pm_usBankAccount, processing, false"
  })
  void aPaymentWaitsForItsCustomerOrBank(String paymentMethod, String status, boolean isTheirs) {
    assumeTrue(IS_DOUBLE, "Stripe's test mode has neither a customer nor a bank");
    Order order = customer.places(OrderForm.GOOD.paidBy(paymentMethod));
    awaitPending(order, status);
    assertThat(customer.pendingPayments(order.id()).getFirst().get("clientSecret") != null)
        .isEqualTo(isTheirs);
    assertThat(STACK.newCustomer().pendingPayments(order.id())).isEmpty();
    assertThat(order.hasEnded()).isFalse();

    stripe.parties().succeed(intentOf(order));

    order.awaitConfirmed();
    expectCharges(order, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_card_authenticationRequired", "pm_usBankAccount"})
  void aPaymentThatFailsLaterCancelsTheOrder(String paymentMethod) {
    assumeTrue(IS_DOUBLE, "Stripe's test mode has neither a customer nor a bank");
    Order order = customer.places(OrderForm.GOOD.paidBy(paymentMethod));
    awaitPending(
        order, paymentMethod.equals("pm_usBankAccount") ? "processing" : "requires_action");

    stripe.parties().fail(intentOf(order));

    awaitStatus(order, "CANCELLED");
    assertThat(stripe.parties().succeed(intentOf(order))).as("the customer tries again").isFalse();
    expectCharges(order, 0, 0);
  }

  @Test
  void anOrderThatIsCancelledWhileItsPaymentWaitsIsNotPaid() {
    assumeTrue(IS_DOUBLE, "Stripe's test mode has no customer");
    Order order = customer.places(OrderForm.GOOD.paidBy("pm_card_authenticationRequired"));
    awaitPending(order, "requires_action");

    customer.cancel(order, Customer.newKey());

    awaitStatus(order, "CANCELLED");
    assertThat(stripe.parties().succeed(intentOf(order))).as("the customer is too late").isFalse();
    expectCharges(order, 0, 0);
  }

  /** Stripe's client secret is to reach the customer alone. */
  @Test
  void theClientSecretIsWrittenDownNowhere() {
    assumeTrue(IS_DOUBLE, "the double names its secrets so that they are found");
    Order order = customer.places(OrderForm.GOOD.paidBy("pm_card_authenticationRequired"));
    awaitPending(order, "requires_action");
    String secret = customer.pendingPayments(order.id()).getFirst().get("clientSecret").toString();
    stripe.parties().succeed(intentOf(order));
    order.awaitConfirmed();

    assertThat(order.sagaText()).doesNotContain(secret);
    assertThat(STACK.logTails()).doesNotContain(secret);
    assertThat(
            STACK
                .paymentsDatabase()
                .texts("SELECT row_to_json(stripe_request)::text FROM stripe_request"))
        .noneMatch(row -> row.contains(secret));
    assertThat(
            STACK
                .paymentsDatabase()
                .texts("SELECT row_to_json(stripe_event)::text FROM stripe_event"))
        .noneMatch(row -> row.contains(secret));
  }

  private void awaitPending(Order order, String status) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(customer.pendingPayments(order.id()))
                    .extracting(it -> it.get("status"))
                    .containsExactly(status));
  }

  private static String intentOf(Order order) {
    return stripe.intents("onceflow_reference", order.id()).getFirst().get("id").toString();
  }

  @Test
  void anOrderThatCannotBeShippedIsPaidBackOnce() {
    Order order = customer.places(OrderForm.GOOD.shippedToCountry("AQ"));

    awaitStatus(order, "CANCELLED");
    expectCharges(order, 1, 1);
  }

  @Test
  void theSameKeyTwiceIsPaidOnce() {
    String key = Customer.newKey();
    Order order = customer.places(OrderForm.GOOD, key);

    assertThat(customer.places(OrderForm.GOOD, key).id()).isEqualTo(order.id());
    order.awaitConfirmed();
    expectCharges(order, 1, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pm_sim_lost_answer",
        "pm_sim_error_after_charge",
        "pm_sim_unavailable_twice",
        "pm_sim_rate_limited_twice"
      })
  void whatStumblesIsPaidOnce(String paymentMethod) {
    assumeTrue(IS_DOUBLE, "Stripe's test mode knows no such payment method");
    Order order = customer.places(OrderForm.GOOD.paidBy(paymentMethod)).awaitConfirmed();

    expectCharges(order, 1, 0);
  }

  /** The request is on its way while the process dies, and charges after that. */
  @Tag("nightly")
  @Test
  void aCrashBeforeTheChargeLeavesOne() {
    assumeTrue(IS_DOUBLE, "Stripe's test mode cannot be slowed down");
    stripe.faults().latencyMillis(1_500);
    Order order = customer.places(OrderForm.GOOD);
    // It is noted in the database before it is sent.
    await().atMost(Duration.ofSeconds(30)).until(() -> stripe.requestsUnderWay() > 0);
    STACK.payments().kill();
    await().atMost(Duration.ofSeconds(30)).until(() -> charged(order).size() == 1);
    stripe.faults().none();
    STACK.heal();

    order.awaitConfirmed();
    expectCharges(order, 1, 0);
  }

  /** The charge is made, and what became of it is not yet written down. */
  @Tag("nightly")
  @Test
  void aCrashAfterTheChargeLeavesOne() {
    assumeTrue(IS_DOUBLE, "the double tells as soon as it has charged");
    for (int i = 0; i < 3; i++) {
      Order order = customer.places(OrderForm.GOOD);
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(Duration.ofSeconds(30))
          .until(() -> charged(order).size() == 1);
      STACK.payments().kill();
      STACK.heal();

      order.awaitConfirmed();
      expectCharges(order, 1, 0);
    }
  }

  private static void awaitStatus(Order order, String status) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> status.equals(order.read().getString("status")));
  }

  private static void expectCharges(Order order, int charges, int refunds) {
    if (!IS_DOUBLE) {
      return;
    }
    List<Map<String, Object>> charged = charged(order);
    assertThat(charged).hasSize(charges);
    for (Map<String, Object> charge : charged) {
      assertThat(charge.get("amount")).isEqualTo(OrderForm.GOOD.amount());
      assertThat(stripe.refunds(charge.get("id").toString())).hasSize(refunds);
    }
  }

  private static List<Map<String, Object>> charged(Order order) {
    return stripe.intents("onceflow_reference", order.id()).stream()
        .filter(intent -> "succeeded".equals(intent.get("status")))
        .toList();
  }
}
