package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.stripedouble.RequestGate;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.stripedouble.StripeDouble.Webhooks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The payment service dies, by kill -9, at each point around a call of Stripe: each time there is
 * one charge, and one refund where there is to be one.
 */
@Tag("nightly")
@SystemTest
class StripeCrashTest {

  private static final Stack STACK = Stack.get();
  private static final String SECRET = "whsec_crashes";
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final OrderForm NOT_SHIPPED = OrderForm.GOOD.shippedToCountry("AQ");

  private static StripeDouble stripe;

  private final Customer customer = STACK.newCustomer();

  /** What the payment service asks Stripe for, and is killed while it does. */
  enum Call {
    CHARGE("/v1/payment_intents", OrderForm.GOOD, 0),
    REFUND("/v1/refunds", NOT_SHIPPED, 1);

    private final String path;
    private final OrderForm form;
    private final int refunds;

    Call(String path, OrderForm form, int refunds) {
      this.path = path;
      this.form = form;
      this.refunds = refunds;
    }
  }

  @BeforeAll
  static void payByStripe() {
    stripe =
        StripeDouble.start(
            0, new Webhooks(STACK.payments().url() + "/webhooks/stripe", SECRET, 2, false));
    startWith(
        Map.of(
            "ONCEFLOW_GATEWAY",
            "stripe",
            "ONCEFLOW_STRIPE_API_KEY",
            "rk_test_double",
            "ONCEFLOW_STRIPE_URL",
            stripe.url(),
            "ONCEFLOW_STRIPE_WEBHOOK_SECRETS",
            SECRET));
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

  /** The request has left, and takes effect when its sender is dead. */
  @ParameterizedTest
  @EnumSource(Call.class)
  void beforeStripeCarriesTheRequestOut(Call call) {
    RequestGate gate = stripe.faults().beforeEffect();
    Order order = placedAndHeldAt(gate, call);

    STACK.payments().kill();
    gate.open();
    STACK.heal();

    expectOnce(order, call);
  }

  /** The request has left, and takes effect after another process has sent it again. */
  @ParameterizedTest
  @EnumSource(Call.class)
  void beforeStripeCarriesTheRequestOutThatIsRepeatedMeanwhile(Call call) {
    RequestGate gate = stripe.faults().beforeEffect();
    Order order = placedAndHeldAt(gate, call);

    STACK.payments().kill();
    STACK.heal();
    gate.open();

    expectOnce(order, call);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void beforeStripeAnswers(Call call) {
    RequestGate gate = stripe.faults().beforeAnswer();
    Order order = placedAndHeldAt(gate, call);

    STACK.payments().kill();
    gate.open();
    STACK.heal();

    expectOnce(order, call);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void beforeTheAnswerIsCommitted(Call call) {
    RequestGate gate = stripe.faults().beforeAnswer();
    Order order = placedAndHeldAt(gate, call);
    try (OpenTransaction others = STACK.paymentsDatabase().begin()) {
      others.lockTable("payment");
      gate.open();
      others.awaitAnotherHeldUp();
      STACK.payments().kill();
    }
    STACK.heal();

    expectOnce(order, call);
  }

  /** The reply is in the outbox, and neither published nor is the command acknowledged. */
  @ParameterizedTest
  @EnumSource(Call.class)
  void beforeTheReplyIsPublished(Call call) {
    RequestGate gate = stripe.faults().beforeAnswer();
    Order order = placedAndHeldAt(gate, call);
    STACK.stopBroker();
    gate.open();
    String status = call == Call.CHARGE ? "PROCESSED" : "REFUNDED";
    await("the result is committed")
        .atMost(SOON)
        .until(
            () ->
                STACK
                        .paymentsDatabase()
                        .count(
                            "SELECT count(*) FROM payment WHERE order_id = ?::uuid AND status = ?",
                            order.id(),
                            status)
                    == 1);
    STACK.payments().kill();
    STACK.heal();

    expectOnce(order, call);
  }

  /** The customer confirms while the service is down; Stripe sends the event again later. */
  @Test
  void whileThePaymentWaitsForItsCustomer() {
    Order order = customer.places(OrderForm.GOOD.paidBy("pm_card_authenticationRequired"));
    await("the payment waits")
        .atMost(SOON)
        .until(() -> customer.pendingPayments(order.id()).size() == 1);

    STACK.payments().kill();
    String intent = intents(order).getFirst().get("id").toString();
    assertThat(stripe.parties().succeed(intent)).isTrue();
    STACK.heal();

    expectOnce(order, Call.CHARGE);
  }

  private Order placedAndHeldAt(RequestGate gate, Call call) {
    gate.closeFor(call.path);
    Order order = customer.places(call.form);
    await("Stripe has the request").atMost(SOON).until(() -> gate.held() > 0);
    return order;
  }

  private void expectOnce(Order order, Call call) {
    String status = call == Call.CHARGE ? "CONFIRMED" : "CANCELLED";
    await("order %s is %s".formatted(order.id(), status))
        .atMost(Order.ENDS_WITHIN)
        .until(() -> status.equals(order.read().getString("status")));
    await("order %s is refunded".formatted(order.id()))
        .atMost(Order.ENDS_WITHIN)
        .until(order::hasEnded);
    List<Map<String, Object>> charged =
        intents(order).stream().filter(it -> "succeeded".equals(it.get("status"))).toList();
    assertThat(charged).hasSize(1);
    assertThat(charged.getFirst()).containsEntry("amount", call.form.amount());
    assertThat(stripe.refunds(charged.getFirst().get("id").toString())).hasSize(call.refunds);
  }

  private static List<Map<String, Object>> intents(Order order) {
    return stripe.intents("onceflow_reference", order.id());
  }
}
