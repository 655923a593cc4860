package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** Payments about which the gateway decides later: the saga waits, and the customer need not. */
@SystemTest
class PendingPaymentsTest {

  private static final OrderForm SETTLED_LATER = OrderForm.GOOD.paidBy("pm_sim_pending");
  private static final OrderForm NEVER_SETTLED = OrderForm.GOOD.paidBy("pm_sim_never_settled");

  private final Customer customer = Stack.get().newCustomer();

  @Test
  void anOrderWhosePaymentIsSettledLaterGoesThrough() {
    Order order = customer.places(SETTLED_LATER).awaitConfirmed();

    order.expectPaidAndShippedOnce(SETTLED_LATER.amount());
    assertThat(order.history())
        .containsExactly(
            "saga-started",
            "command-sent process-payment",
            "step-pending process-payment",
            "succeeded process-payment",
            "command-sent arrange-shipment",
            "succeeded arrange-shipment",
            "pivot-passed confirm-order",
            "saga-completed");
  }

  @Test
  void anOrderIsCancelledAtOnceWhileItsPaymentIsPending() {
    Order order = customer.places(NEVER_SETTLED);
    await("the payment of order " + order.id() + " is pending")
        .atMost(Order.ENDS_WITHIN)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(order.steps()).contains("process-payment AWAITING"));

    assertThat(Cancellation.outcome(customer.cancel(order, Customer.newKey())))
        .isEqualTo("compensating");
    order.awaitCancelled();

    assertThat(order.gatewayLedger()).isEmpty();
    assertThat(order.carrierLedger()).isEmpty();
    assertThat(order.history())
        .containsSubsequence(
            "step-pending process-payment",
            "cancel-requested",
            "given-up process-payment",
            "compensated process-payment",
            "saga-compensated");
  }

  @Test
  void aPaymentThatIsSettledWhileItsOrderIsCancelledIsGivenBack() {
    Order order = customer.places(SETTLED_LATER);
    await("the payment of order " + order.id() + " is pending")
        .atMost(Order.ENDS_WITHIN)
        .ignoreExceptions()
        .until(() -> order.history().contains("step-pending process-payment"));

    String answer = Cancellation.outcome(customer.cancel(order, Customer.newKey()));
    order.awaitEnded();

    assertThat(answer).isIn("compensating", "too-late");
    if (answer.equals("too-late")) {
      order.expectPaidAndShippedOnce(SETTLED_LATER.amount());
    } else {
      order.awaitCancelled();
      assertThat(order.gatewayLedger().stream().mapToLong(PendingPaymentsTest::signed).sum())
          .isZero();
    }
  }

  private static long signed(LedgerEntry entry) {
    return entry.kind().equals("CHARGE") ? entry.amount() : -entry.amount();
  }
}
