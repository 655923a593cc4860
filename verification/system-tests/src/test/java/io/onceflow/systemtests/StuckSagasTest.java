package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A saga whose compensation is not answered shows as stuck, and an operator's retry ends it (rule
 * 9). By default that takes half an hour; here the order service is told to be less patient.
 */
@Tag("nightly")
@SystemTest
class StuckSagasTest {

  private static final Map<String, String> IMPATIENT =
      Map.of("ONCEFLOW_SAGA_STUCK_AFTER", "1", "ONCEFLOW_SAGA_STUCK_WAIT", "PT1H");

  private static final String FOR_PAYMENTS = "payment-service.commands";

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final Operator operator = new Operator(stack);

  @AfterEach
  void heal() {
    stack.orders().kill();
    stack.orders().configure(Map.of());
    stack.heal();
  }

  @Test
  void aRefundWithoutAnAnswerIsStuckUntilAnOperatorSendsItOnceMore() {
    stack.shipping().kill();
    restartOrders(IMPATIENT);
    Order order = customer.places(OrderForm.GOOD.shippedToCountry("AQ"));
    await("it is paid, and to be shipped")
        .atMost(Order.ENDS_WITHIN)
        .until(() -> order.history().contains("command-sent arrange-shipment"));

    stack.payments().kill();
    // The carrier refuses.
    stack.shipping().start();
    await("a refund is asked for")
        .atMost(Order.ENDS_WITHIN)
        .until(() -> order.history().contains("compensation-sent process-payment"));
    order.awaitSaga("STUCK");
    loseWhatWaitsForPayments();
    stack.heal();
    String saga = order.saga().getString("id");
    assertThat(operator.listsSagas("STUCK")).contains(saga);
    Response retried = operator.retriesSaga(saga, "payments are back");

    assertThat(retried.statusCode()).as(retried.asString()).isEqualTo(200);
    order.awaitCancelled();
    assertThat(order.gatewayLedger())
        .extracting(LedgerEntry::kind, LedgerEntry::amount)
        .containsExactly(
            tuple("CHARGE", OrderForm.GOOD.amount()), tuple("REFUND", OrderForm.GOOD.amount()));
    assertThat(order.history())
        .containsSubsequence("saga-stuck", "retry-requested", "saga-compensated");
    assertThat(order.sagaText()).contains("payments are back");
    assertThat(operator.retriesSaga(saga, "once more").statusCode()).isEqualTo(409);
  }

  private void restartOrders(Map<String, String> settings) {
    stack.orders().kill();
    stack.orders().configure(settings);
    stack.orders().start();
    stack.orders().awaitReady();
  }

  /** Or its answer would be there before the operator is. */
  private void loseWhatWaitsForPayments() {
    try (Broker broker = stack.broker()) {
      await("both refunds wait in the queue")
          .atMost(Order.ENDS_WITHIN)
          .until(() -> broker.waiting(FOR_PAYMENTS) >= 2);
      broker.purge(FOR_PAYMENTS);
    }
  }
}
